import type { JsonObject, PermissionDenial, ToolResultBlock, ToolUseBlock } from "@agentwire/protocol";
import type { Conversation } from "./conversation.ts";
import { type CallMeta, reportResult } from "./tool-results.ts";
import { checkInput } from "./tools/check-input.ts";
import type { Tool, ToolOutcome } from "./tools/tool.ts";

/** A tool call of the model, with its input checked. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly tool: Tool | undefined;
  /** Why the call can't run at all. */
  readonly problem: string | undefined;
}

/** Reads a call: finds its tool, checks its input and fills in what the model left out. */
export function readCall(conversation: Conversation, block: ToolUseBlock): Call {
  const { id, name, input } = block;
  const tool = conversation.tools().get(name);
  if (!tool) return { id, name, input, tool, problem: `No such tool available: ${name}` };
  const checked = checkInput(tool.inputSchema, input);
  if (checked.ok) return { id, name, input: checked.input, tool, problem: undefined };
  return {
    id,
    name,
    input,
    tool,
    problem: `InputValidationError: ${name} was called with input it can't use: ${checked.message}`,
  };
}

/** What the tools of a step left behind. */
export interface ToolsEnd {
  readonly results: readonly ToolResultBlock[];
  readonly denials: readonly PermissionDenial[];
  /** The host wants the turn to end. */
  readonly interrupted: boolean;
  /** A hook wants the turn to end. */
  readonly stopped: string | undefined;
  /** Text that hooks add for the model. */
  readonly context: readonly string[];
  /** A hook put the call off to a later process. */
  readonly deferred: Call | undefined;
}

/**
 * Runs the calls of one step, beginning each as soon as the model has finished writing it. Calls that change nothing run side by
 * side; one that may change something waits for all before it, and those after it wait for it.
 */
export class ToolRun {
  readonly #conversation: Conversation;
  readonly #signal: AbortSignal;
  readonly #calls: {
    readonly call: Call;
    readonly done: Promise<ToolResultBlock>;
    readonly isReadOnly: boolean;
  }[] = [];
  readonly #denials: PermissionDenial[] = [];
  readonly #context: string[] = [];
  #interrupted = false;
  #stopped: string | undefined;
  #deferred: Call | undefined;

  constructor(conversation: Conversation, signal: AbortSignal) {
    this.#conversation = conversation;
    this.#signal = signal;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** Begins a call. */
  start(call: Call): void {
    const isReadOnly =
      call.tool === undefined || call.problem !== undefined || call.tool.isReadOnly(call.input);
    const before = isReadOnly ? this.#calls.findLast((other) => !other.isReadOnly) : undefined;
    const waitFor = isReadOnly ? (before ? [before.done] : []) : this.#calls.map((other) => other.done);
    const done = Promise.all(waitFor).then(() => this.#run(call));
    this.#calls.push({ call, done, isReadOnly });
  }

  /** Resolves when all calls have ended. */
  async end(): Promise<ToolsEnd> {
    const results = await Promise.all(this.#calls.map(({ done }) => done));
    return {
      results,
      denials: this.#denials,
      interrupted: this.#interrupted,
      stopped: this.#stopped,
      context: this.#context,
      deferred: this.#deferred,
    };
  }

  async #run(call: Call): Promise<ToolResultBlock> {
    try {
      return await this.#attempt(call);
    } catch (error) {
      if (this.#signal.aborted) return this.#report(call, ABORTED, { notRun: "user-rejected" });
      return this.#report(call, failure(error), {});
    }
  }

  async #attempt(call: Call): Promise<ToolResultBlock> {
    this.#signal.throwIfAborted();
    if (!call.tool || call.problem !== undefined) return this.#report(call, failure(call.problem), {});
    const { hooks, gate, workspace } = this.#conversation.services;
    const facts = { tool_name: call.name, tool_input: call.input, tool_use_id: call.id };
    const before = await this.#hook("PreToolUse", facts, call);
    if (before?.decision === "deny")
      return this.#report(call, failure(before.reason ?? "A hook refused this call."), {});
    if (before?.decision === "defer") this.#deferred ??= call;
    if (before?.stop || before?.decision === "defer")
      return this.#report(call, failure(before.stop?.reason ?? "The call was put off."), {});
    const input = before?.decision && before.updatedInput ? before.updatedInput : call.input;
    const verdict = await gate.decide({
      tool: call.tool,
      input,
      callId: call.id,
      signal: this.#signal,
      workspace,
      ...((before?.decision === "allow" || before?.decision === "ask") && {
        hookDecision: before.decision,
        hookReason: before.reason,
      }),
      ...(this.#conversation.agentId !== undefined && { agentId: this.#conversation.agentId }),
    });
    this.#signal.throwIfAborted();
    if (verdict.behavior === "deny") {
      this.#denials.push(facts);
      if (verdict.automatic) this.#tellDenial(call, verdict);
      if (verdict.interrupt) this.#interrupted = true;
      if (hooks.listens("PermissionDenied"))
        await this.#hook("PermissionDenied", { ...facts, reason: verdict.message }, call);
      return this.#report(call, failure(verdict.message), {
        decision: { decision: "reject", ...(verdict.reasonType && { reason_type: verdict.reasonType }) },
      });
    }
    const started = performance.now();
    const outcome = await this.#carryOut(call.tool, verdict.input, call.id, workspace);
    const after = await this.#after(call, verdict.input, outcome, Math.round(performance.now() - started));
    return this.#report(call, after, {
      decision: {
        decision: "accept",
        source: verdict.source,
        ...(verdict.reasonType && { reason_type: verdict.reasonType }),
      },
    });
  }

  async #carryOut(
    tool: Tool,
    input: JsonObject,
    callId: string,
    workspace: Conversation["services"]["workspace"],
  ): Promise<ToolOutcome> {
    try {
      return await tool.run(input, { callId, workspace, signal: this.#signal });
    } catch (error) {
      this.#signal.throwIfAborted();
      return failure(error);
    }
  }

  async #after(call: Call, input: JsonObject, outcome: ToolOutcome, duration: number): Promise<ToolOutcome> {
    const facts = { tool_name: call.name, tool_input: input, tool_use_id: call.id, duration_ms: duration };
    if (outcome.isError) {
      await this.#hook(
        "PostToolUseFailure",
        { ...facts, error: String(outcome.content), is_interrupt: this.#signal.aborted },
        call,
      );
      return outcome;
    }
    const said = await this.#hook(
      "PostToolUse",
      { ...facts, tool_response: outcome.data ?? outcome.content },
      call,
    );
    if (said?.block) this.#context.push(said.block.reason);
    const replaced = said?.updatedToolOutput;
    return typeof replaced === "string" ? { ...outcome, content: replaced } : outcome;
  }

  async #hook(
    event: "PreToolUse" | "PostToolUse" | "PostToolUseFailure" | "PermissionDenied",
    facts: JsonObject,
    call: Call,
  ) {
    const { hooks } = this.#conversation.services;
    if (!hooks.listens(event)) return undefined;
    const said = await hooks.run(event, facts, { signal: this.#signal, toolUseId: call.id });
    this.#signal.throwIfAborted();
    this.#context.push(...said.context);
    if (said.stop) this.#stopped ??= said.stop.reason;
    return said;
  }

  #tellDenial(
    call: Call,
    verdict: { readonly message: string; readonly reasonType?: string; readonly reason?: string },
  ): void {
    this.#conversation.tell({
      type: "system",
      subtype: "permission_denied",
      tool_name: call.name,
      tool_use_id: call.id,
      message: verdict.message,
      ...(verdict.reasonType && { decision_reason_type: verdict.reasonType }),
      ...(verdict.reason && { decision_reason: verdict.reason }),
    });
  }

  #report(call: Call, outcome: ToolOutcome, meta: CallMeta): ToolResultBlock {
    return reportResult(this.#conversation, call.id, outcome, meta);
  }
}

/** What a call that an interrupt cut off comes to. */
const ABORTED: ToolOutcome = {
  content:
    "The user interrupted this call before it was finished; nothing it was about to do can be relied on. Wait for what the user says next.",
  isError: true,
  data: "User rejected tool use",
};

function failure(error: unknown): ToolOutcome {
  return { content: error instanceof Error ? error.message : String(error), isError: true };
}
