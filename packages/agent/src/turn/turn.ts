import { randomUUID } from "node:crypto";
import { INTERRUPTED } from "@agentwire/local/transcript";
import type { ModelError } from "@agentwire/models";
import type { JsonObject } from "@agentwire/protocol";
import type { PermissionDenial, ToolUseBlock } from "@agentwire/protocol/messages";
import { finalErrorKind, isPromptTooLong } from "../model/error-kind.ts";
import { joined } from "../prompt.ts";
import { workInBackground } from "../tasks/tasks.ts";
import { STRUCTURED_OUTPUT, type StructuredOutput } from "../tools/session/structured-output.ts";
import { type AbandonReason, abandonedReply, apiErrorReply } from "./api-error.ts";
import { readCall } from "./call.ts";
import { agentFacts, type Conversation } from "./conversation.ts";
import { blocksOf, reminder } from "./history.ts";
import { concatenated, concatenatedText, withoutOrphans } from "./joining.ts";
import { RejectedContent } from "./leave-out.ts";
import { noFallback, RETRY_AFTER_REFUSAL, stopHookFailed } from "./notices.ts";
import { ToolRun } from "./run-tools.ts";
import { runStep } from "./step.ts";
import { ToolSummaries } from "./tool-summaries.ts";
import type { TurnEnd } from "./turn-end.ts";
import { UnfinishedReplies } from "./unfinished.ts";

/** Callbacks and options of a turn. */
export interface TurnOptions {
  readonly signal: AbortSignal;
  /** The structured answer that the host wants. */
  readonly structured?: StructuredOutput;
  /** False once the session's budget is spent. */
  readonly mayContinue?: () => boolean;
  /**
   * Shortens a conversation that has become too long for the model, judged by its size or by the provider's refusal; returns
   * whether it did.
   */
  readonly makeRoom?: (signal: AbortSignal, isRefused: boolean) => Promise<boolean>;
  /** A deferred call, which runs first. */
  readonly deferredCall?: {
    readonly call: ToolUseBlock;
    /** Called when its result is in the conversation: the prompts of the turn follow it. */
    onResult(): void;
  };
}

/** Runs one turn, step by step, until the model is done or something ends it. Throws only if there is a bug in the agent. */
export async function runTurn(conversation: Conversation, options: TurnOptions): Promise<TurnEnd> {
  const summaries = new ToolSummaries(conversation, options.signal);
  const end = await new Turn(conversation, options, summaries).run();
  await summaries.told();
  return end;
}

/** How often the model's answer may fail to match the host's schema. */
const MAX_MISFITS = 5;

class Turn {
  readonly #conversation: Conversation;
  readonly #options: TurnOptions;
  readonly #summaries: ToolSummaries;
  readonly #denials: PermissionDenial[] = [];
  #userMessages = 0;
  #steps = 0;
  #text = "";
  #stopReason: string | null = null;
  readonly #unfinished = new UnfinishedReplies();
  #wasTooLong = false;
  readonly #refusals: RejectedContent;
  #misfits = 0;
  #stopHookActive = false;

  constructor(conversation: Conversation, options: TurnOptions, summaries: ToolSummaries) {
    this.#conversation = conversation;
    this.#options = options;
    this.#summaries = summaries;
    this.#refusals = new RejectedContent(conversation);
  }

  async run(): Promise<TurnEnd> {
    const { signal, makeRoom, deferredCall } = this.#options;
    if (this.#isSpent()) return this.#end("budget_exhausted");
    const ended = deferredCall && (await this.#takeUp(deferredCall));
    if (ended) return ended;
    for (;;) {
      if (!signal.aborted) await makeRoom?.(signal, false);
      if (signal.aborted) return this.#aborted();
      const step = await runStep(this.#conversation, signal);
      this.#steps++;
      if (step.kind === "failed" && (await this.#hasMadeRoom(step.error))) continue;
      if (step.kind === "failed" && !signal.aborted && this.#refusals.leaveOut(step.error)) continue;
      if (step.kind === "failed") return this.#failed(step.error, step.requestId);
      if (step.kind === "aborted") return this.#aborted(step.text, step.close);
      this.#text = step.text;
      this.#stopReason = step.stopReason;
      const end = step.tools ? await this.#afterTools(step.tools) : await this.#afterReply(step.isEmpty);
      if (end) return end;
    }
  }

  /** Runs a deferred call as if the model had just made it. */
  async #takeUp({ call, onResult }: NonNullable<TurnOptions["deferredCall"]>): Promise<TurnEnd | undefined> {
    const read = readCall(this.#conversation.tools(), call);
    if (!read.tool) {
      const reason = "tool_deferred_unavailable";
      const error = { status: null, type: reason };
      return { ...this.#end(reason), stopReason: reason, text: read.problem ?? "", error, deferred: read };
    }
    const tools = new ToolRun(this.#conversation, this.#options.signal);
    tools.start(read);
    return this.#afterTools(tools, onResult);
  }

  async #afterTools(tools: ToolRun, onResult = () => {}): Promise<TurnEnd | undefined> {
    if (this.#isSpent()) return tools.cancel().then(() => this.#end("budget_exhausted"));
    const { results, uuids, calls, denials, stopped, context, deferred } = await tools.end();
    if (deferred) return { ...this.#end("tool_deferred"), stopReason: "tool_deferred", deferred };
    this.#userMessages += results.length;
    this.#denials.push(...denials);
    const { history, maxTurns } = this.#conversation;
    history.add("user", [...results, ...context.map(reminder)], ...uuids);
    onResult();
    if (!this.#options.signal.aborted) {
      this.#summaries.begin(calls);
      await this.#batchHooks(calls);
    }
    if (this.#options.signal.aborted) {
      if (this.#options.signal.reason !== "urgent") this.#mark(`${INTERRUPTED} for tool use]`);
      return this.#end("aborted_tools");
    }
    if (stopped !== undefined) return { ...this.#end("hook_stopped"), text: "" };
    this.#misfits += results.filter(
      (result, i) => result.is_error && calls[i]?.tool_name === STRUCTURED_OUTPUT,
    ).length;
    const structured = this.#structured();
    if (structured) return structured;
    this.#join();
    if (maxTurns !== undefined && this.#steps >= maxTurns) return this.#end("max_turns");
    return this.#isSpent() ? this.#end("budget_exhausted") : undefined;
  }

  #isSpent(): boolean {
    return this.#options.mayContinue?.() === false;
  }

  #structured(): TurnEnd | undefined {
    const answer = this.#options.structured?.answer;
    if (answer !== undefined)
      return { ...this.#end("completed"), structured: answer, text: JSON.stringify(answer) };
    return this.#misfits >= MAX_MISFITS ? this.#end("structured_output_retry_exhausted") : undefined;
  }

  async #afterReply(isEmpty: boolean): Promise<TurnEnd | undefined> {
    const wantsStructure = this.#options.structured !== undefined;
    const continuation = this.#unfinished.judge(this.#stopReason, isEmpty, wantsStructure);
    if (continuation.kind === "given_up") return this.#giveUp(continuation.why);
    if (continuation.kind === "done") return this.#goesOn() && this.#join() ? undefined : this.#stopHooks();
    if (continuation.isRefusal) this.#conversation.tell(RETRY_AFTER_REFUSAL);
    if (continuation.nudge !== "") this.#nudge(continuation.nudge);
    return undefined;
  }

  async #stopHooks(): Promise<TurnEnd | undefined> {
    const { services, agent } = this.#conversation;
    const event = agent ? "SubagentStop" : "Stop";
    if (!services.hooks.listens(event)) return this.#end("completed");
    const facts: JsonObject = {
      ...(!agent && { background_tasks: workInBackground(services.workspace), session_crons: [] }),
      stop_hook_active: this.#stopHookActive,
      last_assistant_message: this.#text,
      ...agentFacts(this.#conversation),
      ...(agent && { agent_transcript_path: agent.transcriptPath ?? "" }),
    };
    const said = await services.hooks.run(event, facts, { signal: this.#options.signal });
    if (this.#options.signal.aborted) return this.#aborted();
    if (said.hasFailed) this.#conversation.tell(stopHookFailed());
    if (said.stop) return this.#end("stop_hook_prevented");
    this.#conversation.history.remark(said.context);
    if (!said.block) return this.#end("completed");
    this.#stopHookActive = true;
    this.#nudge(`${event} hook feedback:\n${said.block.reason}`);
    if (!said.hasFailed) this.#conversation.tell(stopHookFailed());
    return undefined;
  }

  async #batchHooks(calls: readonly JsonObject[]): Promise<void> {
    const { services, history } = this.#conversation;
    if (!services.hooks.listens("PostToolBatch")) return;
    const facts = { ...agentFacts(this.#conversation), tool_calls: calls };
    const said = await services.hooks.run("PostToolBatch", facts, { signal: this.#options.signal });
    history.add("user", said.context.map(reminder));
  }

  /** Whether prompts that arrive during the model's last reply continue the turn. */
  #goesOn(): boolean {
    const { services, maxTurns } = this.#conversation;
    if (maxTurns !== undefined && this.#steps >= maxTurns) return false;
    return services.expectations().injects && !this.#isSpent();
  }

  /** Adds the prompts that have arrived meanwhile; returns false if there were none. */
  #join(): boolean {
    const { services, history, record, tell, takeJoining } = this.#conversation;
    const { injects } = services.expectations();
    const prompts = takeJoining().map((prompt) => withoutOrphans(prompt, history.openCalls));
    if (prompts.length === 0) return false;
    const sent = prompts.filter(({ synthetic }) => !synthetic);
    const content = injects ? concatenated(sent) : joined(sent);
    const note = reminder("The user sent this while you were working; take it into account:");
    const news = prompts.filter(({ synthetic }) => synthetic).flatMap((prompt) => blocksOf(prompt.content));
    const blocks = sent.length > 0 ? [...news, note, ...blocksOf(content)] : news;
    history.add("user", blocks, ...prompts.map(({ uuid }) => uuid));
    for (const { uuid, content: own, synthetic } of prompts)
      record({
        uuid,
        type: "user",
        message: { role: "user", content: own },
        extra: synthetic ? { isMeta: true } : {},
      });
    const content_length = concatenatedText(sent).length;
    if (injects) tell({ type: "system", subtype: "injected", message_count: prompts.length, content_length });
    return true;
  }

  /** Shortens a conversation that the provider refused as too long, at most once per turn; returns whether it did. */
  async #hasMadeRoom(error: ModelError): Promise<boolean> {
    const { makeRoom, signal } = this.#options;
    if (!isPromptTooLong(error) || this.#wasTooLong) return false;
    this.#wasTooLong = true;
    if (!(await makeRoom?.(signal, true))) return false;
    this.#userMessages++;
    return true;
  }

  async #failed(error: ModelError, requestId: string | undefined): Promise<TurnEnd> {
    const { services, tell, parentToolUseId } = this.#conversation;
    const { notice, text, reason } = apiErrorReply(error, requestId);
    tell({ ...notice, parent_tool_use_id: parentToolUseId, ...this.#conversation.answered("line") });
    if (services.hooks.listens("StopFailure")) {
      const facts = {
        error: finalErrorKind(error),
        error_details: error.message,
        last_assistant_message: text,
      };
      await services.hooks.run("StopFailure", facts, { signal: this.#options.signal });
    }
    if (isPromptTooLong(error)) this.#refusals.leaveOutLongest();
    this.#text = text;
    this.#stopReason = "stop_sequence";
    return { ...this.#end(reason), error: { status: error.status, type: error.type } };
  }

  /** Ends a turn in which the model has replied too often without an answer. */
  #giveUp(why: AbandonReason): TurnEnd {
    const { services, tell, parentToolUseId } = this.#conversation;
    if (why === "refused") tell(noFallback(services.models.current));
    const { notice, text, stopReason } = abandonedReply(why);
    tell({ ...notice, parent_tool_use_id: parentToolUseId, ...this.#conversation.answered("line") });
    this.#text = text;
    this.#stopReason = stopReason;
    const reason = why === "no_call" ? "malformed_tool_use_exhausted" : "api_error";
    return { ...this.#end(reason), error: { status: null, type: why } };
  }

  /** Ends a turn interrupted while the model was replying, or before that. */
  #aborted(text = "", close = () => {}): TurnEnd {
    this.#stopReason = null;
    if (text !== "") this.#text = text;
    if (this.#options.signal.reason !== "urgent") this.#mark(`${INTERRUPTED}]`);
    close();
    return this.#end("aborted_streaming");
  }

  /** Adds a text that makes the model continue. */
  #nudge(text: string): void {
    this.#say(text, true);
  }

  #mark(text: string): void {
    this.#say(text, false);
  }

  #say(text: string, isSynthetic: boolean): void {
    const uuid = randomUUID();
    const message = { role: "user" as const, content: [{ type: "text" as const, text }] };
    this.#userMessages++;
    this.#conversation.tell({
      type: "user",
      message,
      parent_tool_use_id: this.#conversation.parentToolUseId,
      uuid,
      timestamp: new Date().toISOString(),
      ...(isSynthetic && { isSynthetic }),
    });
    this.#conversation.history.add("user", message.content, uuid);
    this.#conversation.record({ uuid, type: "user", message, extra: isSynthetic ? { isMeta: true } : {} });
  }

  #end(reason: string): TurnEnd {
    return {
      reason,
      text: this.#text,
      stopReason: this.#stopReason,
      denials: this.#denials,
      userMessages: this.#userMessages,
    };
  }
}
