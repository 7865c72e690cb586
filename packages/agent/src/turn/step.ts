import { randomUUID } from "node:crypto";
import { type CompletedBlock, ModelError, type ModelReply, startFold } from "@agentwire/models";
import type { ApiEvent, ContentBlock } from "@agentwire/protocol/messages";
import { withGrace } from "../abort.ts";
import { sliceOver } from "../event-loop.ts";
import { type Retries, startRetries } from "../model/retry.ts";
import type { Unstamped } from "../store/transcript.ts";
import { type Call, readCall } from "./call.ts";
import type { Conversation } from "./conversation.ts";
import { FallbackModels } from "./fallback-models.ts";
import { tellDisplay } from "./notices.ts";
import { ToolRun } from "./run-tools.ts";

/** How a step ended. */
export type StepEnd =
  | {
      readonly kind: "replied";
      readonly stopReason: string | null;
      /** The last text of the reply. */
      readonly text: string;
      readonly isEmpty: boolean;
      /** The calls in the reply, which are already running. */
      readonly tools: ToolRun | undefined;
    }
  | { readonly kind: "failed"; readonly error: ModelError; readonly requestId: string | undefined }
  | {
      readonly kind: "aborted";
      readonly text: string;
      /** Ends the open stream events, once the interrupt has been reported to the host. */
      readonly close: () => void;
    };

/** Runs one step: a model call, its reply as it arrives, and its tool calls. */
export async function runStep(conversation: Conversation, signal: AbortSignal): Promise<StepEnd> {
  const step = new Step(conversation, signal);
  for (;;) {
    const end = await step.attempt();
    if (end) return end;
  }
}

/** The stop reason of a reply whose connection was lost; no provider uses this value. */
export const STREAM_CUT = "stream_cut";

class Step {
  readonly #conversation: Conversation;
  readonly #signal: AbortSignal;
  readonly #tools: ToolRun;
  readonly #retries: Retries;
  #fold = startFold();
  /** Whether the reply has started and not ended. */
  #isOpen = false;
  /** Whether the provider accepted the call: failures before that have already been retried. */
  #isTaken = false;
  /** Whether a stream that ended before it started has been requested once more. */
  #wasRepeated = false;
  #openIndex: number | undefined;
  #text = "";
  #completed: ContentBlock[] = [];
  /** What has not been sent yet, because the host wants the reply as a whole. */
  #untold: { readonly block: ContentBlock; readonly call: Call | undefined }[] = [];
  #requestId: string | undefined;
  #thinkingTokens = 0;
  /** Transcript lines that wait for the end of the reply, when its usage and stop reason are known. */
  #held: (() => void)[] = [];
  #asked = 0;
  #attempts = 0;
  readonly #fallbackModels: FallbackModels;

  constructor(conversation: Conversation, signal: AbortSignal) {
    this.#conversation = conversation;
    this.#signal = signal;
    const record = (line: Unstamped) => {
      // The effects of a call must not be lost, and its result must follow it in the transcript.
      this.#release();
      conversation.record(line);
    };
    this.#tools = new ToolRun({ ...conversation, record }, signal);
    this.#fallbackModels = new FallbackModels(conversation);
    this.#retries = startRetries({
      maxRetries: conversation.services.config.maxRetries,
      onRetry: (retry) => conversation.tell({ type: "system", subtype: "api_retry", ...retry }),
    });
  }

  /** Makes the call; undefined if the stream broke before it delivered anything and should be retried. */
  async attempt(): Promise<StepEnd | undefined> {
    const { costs, held } = this.#conversation.services;
    this.#attempts++;
    this.#fold = startFold();
    this.#asked = performance.now();
    const { marks } = this.#conversation;
    if (marks) marks.asked ??= this.#asked;
    this.#isTaken = false;
    const uncount = held.add(() => this.#fold.openLength);
    try {
      const reply = await this.#call();
      this.#isTaken = true;
      this.#requestId = reply.requestId;
      for await (const first of reply.events) {
        if (marks) marks.heard ??= performance.now();
        for (let event: ApiEvent | undefined = first; event; event = reply.events.take?.()) {
          this.#take(event);
          const room = this.#conversation.room?.();
          // A host that is not reading may still want the turn to end.
          if (room) await withGrace(room, this.#signal);
        }
        // A complete reply ends without a pause: an interrupt during one would find it unfinished.
        const others = this.#isOpen ? sliceOver() : undefined;
        if (others) await others;
      }
      costs.apiMs += Math.round(performance.now() - this.#asked);
      this.#count();
      this.#closeEvents(false);
      return this.#replied(this.#fold.message.stop_reason);
    } catch (error) {
      if (this.#signal.aborted) return this.#aborted();
      if (error instanceof ModelError) return this.#broken(error);
      await this.#tools.cancel();
      throw error;
    } finally {
      uncount();
      this.#release();
    }
  }

  #release(): void {
    for (const record of this.#held.splice(0)) record();
  }

  /** Counts the usage of the reply, as far as it is known. */
  #count(): void {
    const { model, usage } = this.#fold.message;
    this.#conversation.services.costs.add(model, usage, this.#conversation.parentToolUseId === null);
  }

  /** Starts the call, with retries if needed: with the same model, or with one that replaces it. */
  async #call(): Promise<ModelReply> {
    const { services, history, partialMessages, tell } = this.#conversation;
    if (partialMessages && this.#attempts === 1)
      tell({ type: "system", subtype: "status", status: "requesting" });
    for (;;) {
      const call = { ...this.#conversation.nextCall(), messages: history.messages };
      try {
        return await services.model.call(call, this.#signal);
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        if (!(await this.#fallbackModels.takeOver(call.model, error, this.#signal)))
          await this.#retries.afterFailure(error, this.#signal);
      }
    }
  }

  #take(event: ApiEvent): void {
    const completed = this.#fold.push(event);
    this.#follow(event);
    // Send the whole block before the event that closes it.
    if (completed) this.#complete(completed);
    if (event.type === "message_stop") this.#tellRest();
    this.#forward(event);
  }

  #follow(event: ApiEvent): void {
    if (event.type === "message_start") this.#isOpen = true;
    if (event.type === "message_stop") this.#isOpen = false;
    if (event.type === "content_block_start") this.#openIndex = event.index;
    if (event.type === "content_block_stop") this.#openIndex = undefined;
    if (event.type === "content_block_delta" && event.delta.type === "thinking_delta")
      this.#countThinking(event.delta.thinking);
  }

  #complete({ block, badInput }: CompletedBlock): void {
    if (isSilent(block)) return;
    const { services } = this.#conversation;
    const call =
      block.type === "tool_use"
        ? readCall(this.#conversation.tools(), { ...block, name: services.toolNamed(block.name) }, badInput)
        : undefined;
    const complete =
      call && block.type === "tool_use" ? { ...block, input: { ...block.input, ...call.input } } : block;
    this.#completed.push(complete);
    if (block.type === "text") this.#text = block.text;
    this.#untold.push({ block: complete, call });
    if (!this.#conversation.services.expectations().wholeReplies) this.#tellRest();
  }

  /** Sends the finished blocks and starts their calls. */
  #tellRest(): void {
    const rest = this.#untold.splice(0);
    if (rest.length === 0) return;
    this.#say(
      rest.map(({ block }) => block),
      {},
    );
    for (const { call } of rest) if (call) this.#tools.start(call);
  }

  #say(blocks: readonly ContentBlock[], more: { readonly aborted?: boolean }): void {
    const uuid = randomUUID();
    tellDisplay(this.#conversation, blocks, this.#signal);
    const message = { ...this.#fold.message, content: [...blocks], stop_reason: null, stop_sequence: null };
    this.#conversation.tell({
      type: "assistant",
      message,
      parent_tool_use_id: this.#conversation.parentToolUseId,
      uuid,
      timestamp: new Date().toISOString(),
      ...(this.#requestId !== undefined && { request_id: this.#requestId }),
      ...more,
      ...this.#conversation.answered("line"),
    });
    this.#conversation.history.add("assistant", blocks, uuid);
    const extra = this.#requestId === undefined ? {} : { requestId: this.#requestId };
    this.#held.push(() =>
      this.#conversation.record({
        uuid,
        type: "assistant",
        message: { ...this.#fold.message, content: [...blocks] },
        extra,
      }),
    );
  }

  #forward(event: ApiEvent): void {
    if (!this.#conversation.partialMessages || event.type === "ping") return;
    const notice = {
      type: "stream_event" as const,
      event,
      parent_tool_use_id: this.#conversation.parentToolUseId,
      api_message_id: this.#fold.id,
    };
    this.#conversation.tell(
      event.type === "message_start"
        ? {
            ...notice,
            ttft_ms: Math.round(performance.now() - this.#asked),
            ...this.#conversation.answered("delta"),
          }
        : notice,
    );
  }

  #countThinking(text: string): void {
    const delta = Math.ceil(text.length / 4);
    this.#thinkingTokens += delta;
    this.#conversation.tell({
      type: "system",
      subtype: "thinking_tokens",
      estimated_tokens: this.#thinkingTokens,
      estimated_tokens_delta: delta,
    });
  }

  #replied(stopReason: string | null): StepEnd {
    this.#tellRest();
    const tools = this.#tools.isEmpty ? undefined : this.#tools;
    const text = this.#completed.findLast((block) => block.type === "text")?.text ?? "";
    return { kind: "replied", stopReason, text, isEmpty: this.#completed.every(isThought), tools };
  }

  async #broken(error: ModelError): Promise<StepEnd | undefined> {
    if (!this.#isTaken) return { kind: "failed", error, requestId: this.#requestId };
    if (!this.#isOpen && !this.#wasRepeated) {
      this.#wasRepeated = true;
      return undefined;
    }
    if (this.#isOpen) this.#count();
    this.#closeEvents(false);
    // Finished blocks are kept; the model is asked to continue after them.
    if (this.#completed.length > 0) return this.#replied(STREAM_CUT);
    try {
      await this.#retries.afterFailure(error, this.#signal);
      return undefined;
    } catch {
      return this.#signal.aborted ? this.#aborted() : { kind: "failed", error, requestId: this.#requestId };
    }
  }

  #aborted(): StepEnd {
    this.#tellRest();
    if (!this.#tools.isEmpty) {
      this.#closeEvents(true);
      return this.#replied(this.#fold.message.stop_reason);
    }
    const partial = this.#fold.partialText;
    if (partial !== "") this.#say([{ type: "text", text: partial }], { aborted: true });
    return { kind: "aborted", text: partial || this.#text, close: () => this.#closeEvents(true) };
  }

  /** Closes the events of a reply that will not be finished, so that the host sees an end for every start. */
  #closeEvents(withDelta: boolean): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.#openIndex !== undefined) this.#forward({ type: "content_block_stop", index: this.#openIndex });
    this.#openIndex = undefined;
    if (withDelta) {
      const { usage } = this.#fold.message;
      this.#forward({ type: "message_delta", delta: { stop_reason: null, stop_sequence: null }, usage });
    }
    this.#forward({ type: "message_stop" });
  }
}

/** A blank text is neither sent nor remembered. */
const isSilent = (block: ContentBlock) => block.type === "text" && block.text.trim() === "";

const isThought = ({ type }: ContentBlock) => type === "thinking" || type === "redacted_thinking";
