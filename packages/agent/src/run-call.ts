import type { JsonObject } from "@agentwire/protocol";
import { type Call, readInput } from "./call.ts";
import { agentFacts, type Conversation } from "./conversation.ts";
import type { HookOutcome } from "./hooks/hooks.ts";
import { mcpFacts } from "./mcp-facts.ts";
import type { PermissionVerdict } from "./permission/gate.ts";
import type { StepNotes } from "./run-tools.ts";
import { type CallMeta, type ReportedResult, reportResult } from "./tool-results.ts";
import type { Tool, ToolOutcome } from "./tools/tool.ts";
import { withGrace } from "./with-grace.ts";

/** Where a call runs. */
export interface CallSurroundings {
  readonly conversation: Conversation;
  readonly signal: AbortSignal;
  readonly notes: StepNotes;
  /** Whether the step has no other call, as far as it is known. */
  isAlone(): boolean;
}

/** Takes a call from the hooks before it to the hooks after it, and tells how it ended. It never rejects. */
export async function runCall(call: Call, surroundings: CallSurroundings): Promise<ReportedResult> {
  return new CallRun(call, surroundings).run();
}

/** How long a tool that does not hear an interrupt is waited for. */
const DEAF_TOOL_MS = 5000;

type HookEvent = "PreToolUse" | "PostToolUse" | "PostToolUseFailure" | "PermissionDenied";

class CallRun {
  readonly #call: Call;
  readonly #conversation: Conversation;
  readonly #signal: AbortSignal;
  readonly #notes: StepNotes;
  readonly #isAlone: () => boolean;

  constructor(call: Call, { conversation, signal, notes, isAlone }: CallSurroundings) {
    this.#call = call;
    this.#conversation = conversation;
    this.#signal = signal;
    this.#notes = notes;
    this.#isAlone = isAlone;
  }

  async run(): Promise<ReportedResult> {
    try {
      this.#signal.throwIfAborted();
      const { tool, problem } = this.#call;
      if (!tool || problem !== undefined) return this.#report(failure(problem), {});
      return await this.#attempt(tool);
    } catch (error) {
      if (this.#signal.aborted) return this.#report(ABORTED, { notRun: "user-rejected" });
      return this.#report(failure(error), {});
    }
  }

  async #attempt(tool: Tool): Promise<ReportedResult> {
    const before = await this.#hook("PreToolUse", this.#call.input, {});
    const refusal = this.#refusal(before);
    if (refusal !== undefined) return this.#report(failure(refusal), {});
    const input = before?.decision && before.updatedInput ? before.updatedInput : this.#call.input;
    const verdict = await this.#judge(tool, input, before);
    this.#signal.throwIfAborted();
    if (verdict.behavior === "deny") return this.#denied(verdict);
    // Hooks and hosts may have written the input anew, and they make mistakes too.
    const checked = readInput(tool, verdict.input);
    if (typeof checked === "string") return this.#report(failure(checked), {});
    const { source, reasonType } = verdict;
    const outcome = await this.#carryOut(tool, checked);
    return this.#report(outcome, {
      decision: { decision: "accept", source, ...(reasonType && { reason_type: reasonType }) },
    });
  }

  /** Why the hooks don't let the call run, if so. */
  #refusal(before: HookOutcome | undefined): string | undefined {
    if (before?.decision === "deny") return before.reason ?? "A hook refused this call.";
    if (before?.stop) return before.stop.reason;
    // Only a lone call can be taken up again by a later process.
    if (before?.decision !== "defer" || !this.#isAlone()) return undefined;
    this.#notes.deferred ??= this.#call;
    return "The call was put off.";
  }

  async #judge(tool: Tool, input: JsonObject, before: HookOutcome | undefined): Promise<PermissionVerdict> {
    const { services, agent } = this.#conversation;
    const decided = before?.decision;
    return services.gate.decide({
      tool,
      input,
      callId: this.#call.id,
      signal: this.#signal,
      workspace: services.workspace,
      ...((decided === "allow" || decided === "ask") && {
        hookDecision: decided,
        hookReason: before?.reason,
      }),
      ...(agent && { agentId: agent.id }),
    });
  }

  async #denied(verdict: Extract<PermissionVerdict, { behavior: "deny" }>): Promise<ReportedResult> {
    const { id, name, input } = this.#call;
    const { message, reasonType, reason } = verdict;
    const { agent } = this.#conversation;
    this.#notes.denials.push({ tool_name: name, tool_use_id: id, tool_input: input });
    if (verdict.automatic)
      this.#conversation.tell({
        type: "system",
        subtype: "permission_denied",
        tool_name: name,
        tool_use_id: id,
        message,
        ...(agent && { agent_id: agent.id }),
        ...(reasonType && { decision_reason_type: reasonType }),
        ...(reason && { decision_reason: reason }),
      });
    await this.#hook("PermissionDenied", input, { reason: message });
    const result = this.#report(failure(message), {
      decision: { decision: "reject", ...(reasonType && { reason_type: reasonType }) },
    });
    if (verdict.interrupt) this.#conversation.interrupt();
    return result;
  }

  async #carryOut(tool: Tool, input: JsonObject): Promise<ToolOutcome> {
    const { workspace } = this.#conversation.services;
    const started = performance.now();
    const folder = workspace.cwd;
    const outcome = await this.#outcomeOf(tool, input);
    const elapsed = { duration_ms: Math.round(performance.now() - started) };
    if (workspace.cwd !== folder) await this.#movedFrom(folder);
    if (outcome.isError) {
      const facts = { ...elapsed, error: String(outcome.content), is_interrupt: this.#signal.aborted };
      await this.#hook("PostToolUseFailure", input, facts);
      return outcome;
    }
    const facts = { ...elapsed, tool_response: outcome.data ?? outcome.content };
    const said = await this.#hook("PostToolUse", input, facts);
    if (said?.block) this.#notes.context.push(said.block.reason);
    const replaced = said?.updatedToolOutput;
    return typeof replaced === "string" ? { ...outcome, content: replaced } : outcome;
  }

  async #outcomeOf(tool: Tool, input: JsonObject): Promise<ToolOutcome> {
    const { workspace } = this.#conversation.services;
    const context = { callId: this.#call.id, workspace, signal: this.#signal };
    try {
      return await withGrace(tool.run(input, context), this.#signal, DEAF_TOOL_MS);
    } catch (error) {
      this.#signal.throwIfAborted();
      return failure(error);
    }
  }

  async #movedFrom(folder: string): Promise<void> {
    const { hooks, workspace } = this.#conversation.services;
    if (!hooks.listens("CwdChanged")) return;
    const facts = { old_cwd: folder, new_cwd: workspace.cwd };
    await hooks.run("CwdChanged", facts, { signal: this.#signal });
  }

  async #hook(event: HookEvent, input: JsonObject, more: JsonObject): Promise<HookOutcome | undefined> {
    const { hooks } = this.#conversation.services;
    if (!hooks.listens(event)) return undefined;
    const { id, name, tool } = this.#call;
    const facts = {
      ...agentFacts(this.#conversation),
      tool_name: name,
      tool_input: input,
      tool_use_id: id,
      ...mcpFacts(tool),
      ...more,
    };
    const said = await hooks.run(event, facts, { signal: this.#signal, toolUseId: id });
    this.#signal.throwIfAborted();
    this.#notes.context.push(...said.context);
    if (said.stop) this.#notes.stopped ??= said.stop.reason;
    return said;
  }

  #report(outcome: ToolOutcome, meta: CallMeta): ReportedResult {
    return reportResult(this.#conversation, this.#call.id, outcome, meta);
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
