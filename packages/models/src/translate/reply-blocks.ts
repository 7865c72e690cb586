import type { ApiEvent, ContentBlock, StopReason, Usage } from "@agentwire/protocol/messages";
import { newId } from "./ids.ts";
import { estimatedUsage } from "./usage.ts";

/** The type of each delta and the field of its text. */
const DELTAS = {
  text: (text: string) => ({ type: "text_delta", text }) as const,
  thinking: (thinking: string) => ({ type: "thinking_delta", thinking }) as const,
  tool_use: (partial_json: string) => ({ type: "input_json_delta", partial_json }) as const,
};

type Streamed = keyof typeof DELTAS;

/** Writes a reply as events of the Messages API: one block at a time, each with a start and an end. */
export class ReplyBlocks {
  readonly #model: string;
  #events: ApiEvent[] = [];
  #index = -1;
  #open: Streamed | undefined;
  #hasBegun = false;
  /** How many characters the model has written, in case the provider does not count tokens. */
  #characters = 0;

  readonly #usage: Usage;

  /** `model` is the requested name; `requestCharacters` yields an estimate of the input until the provider reports its count. */
  constructor({ model, requestCharacters }: { readonly model: string; readonly requestCharacters: number }) {
    this.#model = model;
    this.#usage = estimatedUsage(requestCharacters, 1);
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get characters(): number {
    return this.#characters;
  }

  /** The kind of block being written. */
  get open(): Streamed | undefined {
    return this.#open;
  }

  /** The events since the last call. */
  take(): ApiEvent[] {
    const taken = this.#events;
    this.#events = [];
    return taken;
  }

  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#events.push({
      type: "message_start",
      message: {
        id: newId("msg"),
        type: "message",
        role: "assistant",
        model: this.#model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: this.#usage,
      },
    });
  }

  /** Adds text to a block of this kind, starting one if another kind is being written. */
  write(kind: "text" | "thinking", text: string): void {
    if (text === "") return;
    if (this.#open !== kind) this.#start(kind, EMPTY[kind]);
    this.#add(kind, text);
  }

  /** Starts a tool call. */
  beginTool(id: string, name: string): void {
    this.#start("tool_use", { type: "tool_use", id, name, input: {} });
    // The Messages API starts every call like this.
    this.#add("tool_use", "");
  }

  /** Adds to the input of the tool call being written. */
  writeInput(json: string): void {
    if (json !== "") this.#add("tool_use", json);
  }

  /** Ends the current thinking with its signature; if there is no visible thinking, only the signature is kept. */
  sign(signature: string): void {
    if (this.#open !== "thinking") {
      this.seal(signature);
      return;
    }
    this.#events.push({
      type: "content_block_delta",
      index: this.#index,
      delta: { type: "signature_delta", signature },
    });
    this.close();
  }

  /** Adds a redacted thinking block. */
  seal(data: string): void {
    this.close();
    this.begin();
    const index = ++this.#index;
    this.#events.push(
      { type: "content_block_start", index, content_block: { type: "redacted_thinking", data } },
      { type: "content_block_stop", index },
    );
  }

  close(): void {
    if (this.#open === undefined) return;
    this.#open = undefined;
    this.#events.push({ type: "content_block_stop", index: this.#index });
  }

  /** Ends the reply. */
  finish(stopReason: StopReason, usage: Usage): void {
    this.begin();
    this.close();
    this.#events.push(
      { type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage },
      { type: "message_stop" },
    );
  }

  #start(kind: Streamed, block: ContentBlock): void {
    this.close();
    this.begin();
    this.#open = kind;
    this.#events.push({ type: "content_block_start", index: ++this.#index, content_block: block });
  }

  #add(kind: Streamed, text: string): void {
    this.#characters += text.length;
    this.#events.push({ type: "content_block_delta", index: this.#index, delta: DELTAS[kind](text) });
  }
}

const EMPTY = {
  text: { type: "text", text: "" },
  thinking: { type: "thinking", thinking: "", signature: "" },
} as const satisfies Record<string, ContentBlock>;
