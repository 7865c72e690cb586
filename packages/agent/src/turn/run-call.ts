import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@agentwire/protocol";
import { errorMessage } from "@agentwire/protocol/support";
import { withGrace } from "../abort.ts";
import { memoryText } from "../context/memory.ts";
import { type HookResult, userLine } from "../hooks/hooks.ts";
import { tellInstructions } from "../hooks/instructions.ts";
import { withFullPath } from "../permission/access.ts";
import type { PermissionDecision, PermissionQuestion } from "../permission/gate.ts";
import { quietGit } from "../permission/quiet-git.ts";
import { refused } from "../tools/outcome.ts";
import { absolutePath } from "../tools/paths.ts";
import type { Tool, ToolContext, ToolOutcome } from "../tools/tool.ts";
import { mcpFacts, mcpServerOf } from "../tools/tool.ts";
import { type Call, readInput } from "./call.ts";
import { agentFacts, type Conversation } from "./conversation.ts";
import { replacedOutput } from "./replaced-output.ts";
import type { StepNotes } from "./run-tools.ts";
import { type CallMeta, type ReportedResult, reportResult } from "./tool-results.ts";

/** The context of a call. */
export interface CallContext {
  readonly conversation: Conversation;
  readonly signal: AbortSignal;
  readonly notes: StepNotes;
  /** Whether the step has no other call; known only at the end of the reply. */
  isAlone(): Promise<boolean>;
}

/** Runs a call with the hooks before and after it and reports its outcome; undefined if it is deferred. Never rejects. */
export async function runCall(call: Call, context: CallContext): Promise<ReportedResult | undefined> {
  return new CallRun(call, context).run();
}

/** How long to wait for a tool that ignores an interrupt. */
const DEAF_TOOL_MS = 5000;

type HookEvent = "PreToolUse" | "PostToolUse" | "PostToolUseFailure" | "PermissionDenied";

class CallRun {
  readonly #call: Call;
  readonly #conversation: Conversation;
  readonly #signal: AbortSignal;
  readonly #notes: StepNotes;
  readonly #isAlone: () => Promise<boolean>;
  /** Hooks' lines for the user, to be sent after the result. */
  readonly #untold: string[] = [];

  constructor(call: Call, { conversation, signal, notes, isAlone }: CallContext) {
    this.#call = call;
    this.#conversation = conversation;
    this.#signal = signal;
    this.#notes = notes;
    this.#isAlone = isAlone;
  }

  async run(): Promise<ReportedResult | undefined> {
    try {
      this.#signal.throwIfAborted();
      const { tool, problem } = this.#call;
      if (!tool || problem !== undefined) return this.#report(refused(problem ?? ""));
      return await this.#attempt(tool);
    } catch (error) {
      if (this.#signal.aborted) return this.#report(ABORTED, { notRun: "user-rejected" });
      return this.#report(failure(error));
    }
  }

  async #attempt(tool: Tool): Promise<ReportedResult | undefined> {
    const { workspace } = this.#conversation.services;
    const hopeless = await this.#refusedBeforehand(tool);
    if (hopeless !== undefined) return this.#report(refused(hopeless));
    // Hooks and hosts get the absolute path.
    const shown = withFullPath(tool.name, this.#call.input, (path) => absolutePath(path, workspace));
    const before = await this.#hook("PreToolUse", shown, {});
    if (before?.decision === "deny") return this.#refusedByHook(before.reason ?? "A hook refused this call.");
    if (before?.stop) return this.#report(failure(before.stop.reason));
    if (before?.decision === "defer" && (await this.#isDeferred())) return undefined;
    const input = before?.updatedInput ?? shown;
    const decision = await this.#judge(tool, input, before);
    if (decision.behavior === "deny") this.#noteDenial();
    this.#signal.throwIfAborted();
    if (decision.behavior === "deny") return this.#denied(decision);
    // Hooks and hosts may have replaced the input, possibly with an invalid one.
    const isUnchanged = isDeepStrictEqual(decision.input, shown);
    const checked = isUnchanged ? this.#call.input : readInput(tool, decision.input);
    if (typeof checked === "string") return this.#report(refused(checked));
    const { source, reasonType } = decision;
    const outcome = await this.#carryOut(tool, checked, decision);
    return this.#report(outcome, {
      decision: { decision: "accept", source, ...(reasonType && { reason_type: reasonType }) },
    });
  }

  /** Why the call can't work, as far as that can be told without accessing anything that needs permission. */
  async #refusedBeforehand(tool: Tool): Promise<string | undefined> {
    const { gate } = this.#conversation.services;
    if (!tool.refuse || !(await gate.mayLook(this.#question(tool, this.#call.input)))) return undefined;
    const reason = await tool.refuse(this.#call.input, this.#conversation.services.workspace);
    this.#signal.throwIfAborted();
    return reason;
  }

  #refusedByHook(reason: string): ReportedResult {
    this.#noteDenial();
    return this.#report(failure(reason), {
      notRun: "permission-rule",
      decision: { decision: "reject", source: "hook", reason_type: "hook" },
    });
  }

  /** Defers the call if possible: only a lone call of the session itself can be resumed by a later process. */
  async #isDeferred(): Promise<boolean> {
    const { agent, tell } = this.#conversation;
    if (agent === undefined && (await this.#isAlone())) {
      this.#signal.throwIfAborted();
      this.#notes.deferred = this.#call;
      return true;
    }
    const content = `A hook wants to defer ${this.#call.name}, which only works for a call that is alone.`;
    tell({ type: "system", subtype: "informational", content, level: "warning" });
    return false;
  }

  async #judge(tool: Tool, input: JsonObject, before: HookResult | undefined): Promise<PermissionDecision> {
    const decided = before?.decision;
    return this.#conversation.services.gate.decide({
      ...this.#question(tool, input),
      ...((decided === "allow" || decided === "ask") && {
        hookDecision: decided,
        hookReason: before?.reason,
      }),
    });
  }

  #question(tool: Tool, input: JsonObject): PermissionQuestion {
    const { services, agent } = this.#conversation;
    return {
      tool,
      input,
      callId: this.#call.id,
      signal: this.#signal,
      workspace: services.workspace,
      ...(agent && { agentId: agent.id, ...(agent.mode !== undefined && { mode: agent.mode }) }),
    };
  }

  /** Also for a question withdrawn by an interrupt: hosts expect such a call among the denials. */
  #noteDenial(): void {
    const { id, name, input } = this.#call;
    this.#notes.denials.push({ tool_name: name, tool_use_id: id, tool_input: input });
  }

  async #denied(decision: Extract<PermissionDecision, { behavior: "deny" }>): Promise<ReportedResult> {
    const { id, name, input } = this.#call;
    const { message, reasonType, reason, source, notRun } = decision;
    const { agent } = this.#conversation;
    if (decision.automatic)
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
    // The hook is only for denials by an automatic mode; denials by a rule or an answer are already known to whoever made them.
    const isAuto = this.#conversation.services.gate.mode === "auto";
    const said = isAuto ? await this.#hook("PermissionDenied", input, { reason: message }) : undefined;
    const mayRetry = said?.specific.retry === true ? "\nThe call may be tried again." : "";
    const outcome = failure(message + mayRetry);
    if (decision.interrupt) {
      const result = this.#report(outcome, { notRun: "user-rejected" });
      this.#conversation.interrupt();
      return result;
    }
    // If the question could not be asked, its reason did not decide anything.
    const why = notRun === "user-rejected" ? undefined : reasonType;
    return this.#report(outcome, {
      notRun,
      decision: { decision: "reject", source, ...(why && { reason_type: why }) },
    });
  }

  async #carryOut(
    tool: Tool,
    input: JsonObject,
    { quietGit: isQuiet, sandboxed }: Extract<PermissionDecision, { behavior: "allow" }>,
  ): Promise<ToolOutcome> {
    const { workspace } = this.#conversation.services;
    const started = performance.now();
    const folder = workspace.cwd;
    if (!tool.isReadOnly(input)) await workspace.beforeCall?.(folder);
    const environment = isQuiet ? quietGit(workspace.env) : {};
    const outcome = await this.#outcomeOf(tool, input, { environment, ...(sandboxed && { sandboxed }) });
    const elapsed = { duration_ms: Math.round(performance.now() - started) };
    if (workspace.cwd !== folder) await this.#movedFrom(folder);
    if (outcome.isError) {
      const facts = { ...elapsed, error: String(outcome.content), is_interrupt: this.#signal.aborted };
      await this.#hook("PostToolUseFailure", input, facts);
      return outcome;
    }
    if (tool.name === "Read") await this.#readNotes(resolve(workspace.cwd, String(input.file_path)));
    const facts = { ...elapsed, tool_response: outcome.data ?? outcome.content };
    const said = await this.#hook("PostToolUse", input, facts);
    if (said?.block) this.#notes.context.push(said.block.reason);
    return said ? this.#replaced(outcome, said) : outcome;
  }

  /** The outcome, with its output replaced if hooks do so. */
  #replaced(outcome: ToolOutcome, { updatedToolOutput, specific }: HookResult): ToolOutcome {
    const { tool, name } = this.#call;
    const isMcp = mcpServerOf(tool) !== undefined;
    const output = updatedToolOutput ?? (isMcp ? specific.updatedMCPToolOutput : undefined);
    if (output === undefined) return outcome;
    const replaced = replacedOutput(tool, outcome, output);
    if (replaced) return replaced;
    const content = `A hook returned a result for ${name} of the wrong shape; the tool's own result is kept.`;
    this.#conversation.tell({ type: "system", subtype: "informational", content, level: "warning" });
    return outcome;
  }

  async #outcomeOf(
    tool: Tool,
    input: JsonObject,
    terms: Pick<ToolContext, "environment" | "sandboxed">,
  ): Promise<ToolOutcome> {
    const { workspace, gate } = this.#conversation.services;
    const isClosed = gate.closing(workspace.worktree);
    const context = { callId: this.#call.id, workspace, signal: this.#signal, isClosed, ...terms };
    try {
      return await withGrace(tool.run(input, context), this.#signal, DEAF_TOOL_MS);
    } catch (error) {
      this.#signal.throwIfAborted();
      return failure(error);
    }
  }

  /** Adds the project's notes for the folder of a file that was read. */
  async #readNotes(path: string): Promise<void> {
    const { hooks, nestedMemory } = this.#conversation.services;
    const files = await nestedMemory.leadingTo(path);
    if (files.length === 0) return;
    this.#notes.context.push(memoryText(files));
    await tellInstructions(hooks, files, "nested_traversal", this.#signal, path);
  }

  async #movedFrom(folder: string): Promise<void> {
    const { hooks, workspace } = this.#conversation.services;
    if (!hooks.listens("CwdChanged")) return;
    const facts = { old_cwd: folder, new_cwd: workspace.cwd };
    await hooks.run("CwdChanged", facts, { signal: this.#signal });
  }

  async #hook(event: HookEvent, input: JsonObject, more: JsonObject): Promise<HookResult | undefined> {
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
    const isAfter = event === "PostToolUse" || event === "PostToolUseFailure";
    const said = await hooks.run(event, facts, { signal: this.#signal, toolUseId: id, tellsLater: isAfter });
    if (isAfter) this.#untold.push(...said.messages);
    this.#signal.throwIfAborted();
    this.#notes.context.push(...said.context);
    if (said.stop) this.#notes.stopped ??= said.stop.reason;
    return said;
  }

  #report(outcome: ToolOutcome, meta?: CallMeta): ReportedResult {
    const result = reportResult(this.#conversation, this.#call.id, outcome, meta);
    for (const text of this.#untold.splice(0)) this.#conversation.tell(userLine(text));
    return result;
  }
}

/** The outcome of a call cut off by an interrupt. */
const ABORTED: ToolOutcome = {
  content:
    "The user interrupted this call before it was finished; nothing it was about to do can be relied on. Wait for what the user says next.",
  isError: true,
  data: "User rejected tool use",
};

function failure(error: unknown): ToolOutcome {
  return { content: errorMessage(error), isError: true };
}
