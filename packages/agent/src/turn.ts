import { randomUUID } from "node:crypto";
import type { JsonObject, PermissionDenial } from "@agentwire/protocol";
import { apiErrorReply } from "./api-error.ts";
import type { Conversation } from "./conversation.ts";
import { blocksOf } from "./history.ts";
import type { Prompt } from "./inbox.ts";
import type { ModelError } from "./model/model.ts";
import type { Call } from "./run-tools.ts";
import { runStep } from "./step.ts";

/** How a turn ended; `reason` is the wire's `terminal_reason`. */
export interface TurnEnd {
  readonly reason: string;
  /** The last text of the model, or of the error. */
  readonly text: string;
  readonly stopReason: string | null;
  readonly error?: { readonly status: number | null; readonly type: string };
  /** The value the host asked for by a schema. */
  readonly structured?: unknown;
  readonly denials: readonly PermissionDenial[];
  /** How many `user` messages the turn wrote: `num_turns` is one more. */
  readonly userMessages: number;
  readonly safetyStops: number;
  readonly deferred?: Call;
}

/** What a turn may need of whoever runs it. */
export interface TurnOptions {
  readonly signal: AbortSignal;
  /** The structured answer that was given, if the host wants one: undefined until the tool was called. */
  readonly structured?: () => unknown;
  /** False when the session's budget is spent. */
  readonly mayGoOn?: () => boolean;
  /** Makes room if the conversation has become too long for the model. */
  readonly makeRoom?: (signal: AbortSignal) => Promise<void>;
}

/** Runs one turn: step after step, until the model is done or something ends it. It always returns, and once. */
export async function runTurn(conversation: Conversation, options: TurnOptions): Promise<TurnEnd> {
  return new Turn(conversation, options).run();
}

/** How often a turn goes on by itself after a reply that was cut short. */
const MAX_CONTINUATIONS = 3;

class Turn {
  readonly #conversation: Conversation;
  readonly #options: TurnOptions;
  readonly #denials: PermissionDenial[] = [];
  #userMessages = 0;
  #steps = 0;
  #text = "";
  #stopReason: string | null = null;
  #continuations = 0;
  #refusals = 0;
  #nudged = false;
  #stopHookActive = false;

  constructor(conversation: Conversation, options: TurnOptions) {
    this.#conversation = conversation;
    this.#options = options;
  }

  async run(): Promise<TurnEnd> {
    for (;;) {
      await this.#options.makeRoom?.(this.#options.signal);
      const step = await runStep(this.#conversation, this.#options.signal);
      this.#steps++;
      if (step.kind === "failed") return this.#failed(step.error, step.requestId);
      if (step.kind === "aborted") return this.#aborted(step.text, step.close);
      this.#text = step.text;
      this.#stopReason = step.stopReason;
      const end = step.tools ? await this.#afterTools(step.tools) : await this.#afterReply(step.isEmpty);
      if (end) return end;
    }
  }

  async #afterTools(
    tools: NonNullable<Extract<Awaited<ReturnType<typeof runStep>>, { kind: "replied" }>["tools"]>,
  ): Promise<TurnEnd | undefined> {
    const { results, denials, interrupted, stopped, context, deferred } = await tools.end();
    this.#userMessages += results.length;
    this.#denials.push(...denials);
    const { history, maxTurns, services } = this.#conversation;
    history.add("user", [...results, ...context.map((text) => reminder(text))]);
    if (this.#options.signal.aborted || interrupted) {
      if (this.#options.signal.reason !== "urgent") this.#mark("[Request interrupted by user for tool use]");
      return this.#end("aborted_tools");
    }
    if (deferred) return { ...this.#end("tool_deferred"), stopReason: "tool_deferred", deferred };
    if (stopped !== undefined) return { ...this.#end("hook_stopped"), text: stopped };
    const structured = this.#options.structured?.();
    if (structured !== undefined)
      return { ...this.#end("completed"), structured, text: JSON.stringify(structured) };
    if (services.hooks.listens("PostToolBatch")) await this.#batchHooks();
    this.#join(this.#conversation.takeJoining());
    if (maxTurns !== undefined && this.#steps >= maxTurns) return this.#end("max_turns");
    if (this.#options.mayGoOn?.() === false) return this.#end("budget_exhausted");
    return undefined;
  }

  async #afterReply(isEmpty: boolean): Promise<TurnEnd | undefined> {
    if (this.#stopReason === "refusal" && this.#refusals++ === 0) {
      this.#conversation.tell({
        type: "system",
        subtype: "informational",
        content: "The model's safeguards stopped this reply; it goes on once, with that noted.",
        level: "notice",
      });
      this.#nudge(
        "Your reply was stopped by a safety check, and what was left of it was withheld. Do not produce that content again in any form; go on without it, or say that you can't.",
      );
      return undefined;
    }
    if (this.#stopReason === "max_tokens" && this.#continuations++ < MAX_CONTINUATIONS) {
      this.#nudge(
        "Your reply was cut off at the length limit. Go on exactly where it stopped, without repeating anything, in smaller pieces.",
      );
      return undefined;
    }
    if (this.#stopReason === "pause_turn" && this.#continuations++ < MAX_CONTINUATIONS) return undefined;
    if (isEmpty && this.#stopReason !== "refusal" && this.#continuations++ < 1) {
      this.#nudge("Your reply was empty. Say something to the user, or call a tool.");
      return undefined;
    }
    if (this.#options.structured && !this.#nudged) {
      this.#nudged = true;
      this.#nudge("Answer by calling the StructuredOutput tool now; nothing else completes this request.");
      return undefined;
    }
    return this.#stopHooks();
  }

  async #stopHooks(): Promise<TurnEnd | undefined> {
    const { hooks } = this.#conversation.services;
    const event = this.#conversation.agentId === undefined ? "Stop" : "SubagentStop";
    if (!hooks.listens(event)) return this.#end("completed");
    const facts: JsonObject = { stop_hook_active: this.#stopHookActive, last_assistant_message: this.#text };
    const said = await hooks.run(event, facts, { signal: this.#options.signal });
    if (this.#options.signal.aborted) return this.#aborted("", () => {});
    if (said.stop) return { ...this.#end("stop_hook_prevented"), text: said.stop.reason || this.#text };
    if (!said.block) return this.#end("completed");
    this.#stopHookActive = true;
    this.#nudge(said.block.reason);
    return undefined;
  }

  async #batchHooks(): Promise<void> {
    const said = await this.#conversation.services.hooks.run(
      "PostToolBatch",
      { tool_calls: [] },
      { signal: this.#options.signal },
    );
    for (const text of said.context) this.#conversation.history.add("user", [reminder(text)]);
  }

  #join(prompts: readonly Prompt[]): void {
    for (const prompt of prompts) {
      const blocks = blocksOf(prompt.content);
      this.#conversation.history.add("user", [
        reminder("The user sent this while you were working; take it into account:"),
        ...blocks,
      ]);
      this.#conversation.record({
        uuid: prompt.uuid,
        type: "user",
        message: { role: "user", content: prompt.content },
      });
    }
  }

  #failed(error: ModelError, requestId: string | undefined): TurnEnd {
    const { notice, text, reason } = apiErrorReply(error, requestId);
    this.#conversation.tell({
      ...notice,
      parent_tool_use_id: this.#conversation.parentToolUseId,
      ...this.#conversation.answered(),
    });
    this.#text = text;
    this.#stopReason = "stop_sequence";
    return { ...this.#end(reason), error: { status: error.status, type: error.type } };
  }

  /** An interrupt while the model was speaking, or before it began. */
  #aborted(text: string, close: () => void): TurnEnd {
    this.#stopReason = null;
    if (text !== "") this.#text = text;
    if (this.#options.signal.reason !== "urgent") this.#mark("[Request interrupted by user]");
    close();
    return this.#end("aborted_streaming");
  }

  /** A text of the agent's own, to get the model going again. */
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
    this.#conversation.history.add("user", message.content);
    this.#conversation.record({ uuid, type: "user", message, extra: isSynthetic ? { isMeta: true } : {} });
  }

  #end(reason: string): TurnEnd {
    return {
      reason,
      text: this.#text,
      stopReason: this.#stopReason,
      denials: this.#denials,
      userMessages: this.#userMessages,
      safetyStops: this.#refusals,
    };
  }
}

/** Text for the model that the user did not write. */
function reminder(text: string): { type: "text"; text: string } {
  return { type: "text", text: `<system-reminder>\n${text}\n</system-reminder>` };
}
