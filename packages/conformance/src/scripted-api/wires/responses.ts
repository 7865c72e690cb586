import type { JsonObject } from "@agentwire/protocol";
import { at, listAt, textAt } from "../../json-path.ts";
import { openaiCounts, openaiError } from "./openai.ts";
import { fromResponses } from "./responses-request.ts";
import type { Quirks, ReplyWriter, Wire } from "./wire.ts";

/** OpenAI's Responses. */
export const responses: Wire = {
  toMessages: fromResponses,
  write: (quirks) => new ResponsesWriter(quirks),
  whole: (message) => ({
    ...headOf(message),
    ...statusOf(message.stop_reason),
    output: listAt(message, "content").map((block, index) => itemOf(block, index)),
    usage: usageOf(message.usage),
  }),
  failure: openaiError,
};

const headOf = (message: unknown): JsonObject => ({
  id: `resp_${at(message, "id")}`,
  object: "response",
  created_at: 0,
  error: null,
  incomplete_details: null,
  model: at(message, "model"),
  parallel_tool_calls: true,
  tools: [],
});

function statusOf(reason: unknown): JsonObject {
  const cut =
    reason === "max_tokens" ? "max_output_tokens" : reason === "refusal" ? "content_filter" : undefined;
  if (cut === undefined) return { status: "completed", incomplete_details: null };
  return { status: "incomplete", incomplete_details: { reason: cut } };
}

function usageOf(usage: unknown): JsonObject {
  const { input, output, cached, reasoning } = openaiCounts(usage);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

/** A block as an item of the output. */
function itemOf(block: unknown, index: number): JsonObject {
  switch (textAt(block, "type")) {
    case "thinking":
      return {
        type: "reasoning",
        id: `rs_${index}`,
        summary: [{ type: "summary_text", text: at(block, "thinking") }],
        encrypted_content: at(block, "signature"),
      };
    case "redacted_thinking":
      return { type: "reasoning", id: `rs_${index}`, summary: [], encrypted_content: at(block, "data") };
    case "tool_use":
      return {
        type: "function_call",
        id: `fc_${index}`,
        call_id: at(block, "id"),
        name: at(block, "name"),
        arguments: JSON.stringify(at(block, "input")),
        status: "completed",
      };
    default:
      return {
        type: "message",
        id: `msg_${index}`,
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: at(block, "text"), annotations: [] }],
      };
  }
}

/** How the growth of a block is reported: the names of its events, its position, and the part that contains the text. */
interface Growth {
  readonly text: string;
  readonly part?: string;
  readonly place: JsonObject;
}

const GROWTHS: Readonly<Record<string, Growth>> = {
  text: { text: "output_text", part: "content_part", place: { content_index: 0 } },
  thinking: {
    text: "reasoning_summary_text",
    part: "reasoning_summary_part",
    place: { summary_index: 0 },
  },
  tool_use: { text: "function_call_arguments", place: {} },
};

class ResponsesWriter implements ReplyWriter {
  readonly #quirks: Quirks;
  #head: JsonObject = {};
  #sequence = 0;
  /** The block being written, as far as it is known. */
  #block: { readonly type: string; [key: string]: unknown } = { type: "" };
  /** Its text, or the JSON of its arguments, so far. */
  #text = "";
  readonly #output: JsonObject[] = [];

  constructor(quirks: Quirks) {
    this.#quirks = quirks;
  }

  event(event: JsonObject & { readonly type: string }): string {
    switch (event.type) {
      case "message_start":
        this.#head = headOf(event.message);
        return ["response.created", "response.in_progress"]
          .map((type) => this.#say(type, { response: { ...this.#head, status: "in_progress", output: [] } }))
          .join("");
      case "ping":
        return ": ping\n\n";
      case "content_block_start":
        return this.#begin(event.content_block);
      case "content_block_delta":
        return this.#add(event.delta);
      case "content_block_stop":
        return this.#endBlock();
      case "message_delta":
        return this.#finish(event);
      case "error":
        return this.#say("error", { ...(event.error as JsonObject), code: at(event, "error", "type") });
      default:
        return "";
    }
  }

  end(): string {
    return "";
  }

  #begin(block: unknown): string {
    this.#block = { ...(block as { type: string }) };
    this.#text = "";
    const whole = itemOf({ ...this.#block, text: "", thinking: "", input: {} }, this.#output.length);
    const item = {
      ...whole,
      ...("status" in whole && { status: "in_progress" }),
      ...("arguments" in whole && { arguments: "" }),
      ...("content" in whole && { content: [] }),
      ...("summary" in whole && { summary: [] }),
    };
    const added = this.#say("response.output_item.added", { output_index: this.#output.length, item });
    return added + this.#part("added");
  }

  #add(delta: unknown): string {
    this.#block.signature = textAt(delta, "signature") ?? this.#block.signature;
    const piece = textAt(delta, "text") ?? textAt(delta, "thinking") ?? textAt(delta, "partial_json") ?? "";
    this.#text += piece;
    if (piece === "" || (this.#block.type === "tool_use" && this.#quirks.wholeArguments)) return "";
    return this.#grow("delta", { delta: piece });
  }

  #endBlock(): string {
    const { type } = this.#block;
    const [text, thinking] = [this.#text, this.#text];
    const item = itemOf({ ...this.#block, text, thinking }, this.#output.length);
    const whole = type === "tool_use" ? { ...item, arguments: this.#text || "{}" } : item;
    const grown = this.#grow("done", type === "tool_use" ? { arguments: whole.arguments } : { text });
    const done = this.#say("response.output_item.done", { output_index: this.#output.length, item: whole });
    const told = grown + this.#part("done") + done;
    this.#output.push(whole);
    return told;
  }

  #finish(event: JsonObject): string {
    const status = statusOf(at(event, "delta", "stop_reason"));
    const usage = this.#quirks.usage === "never" ? null : usageOf(event.usage);
    const response = { ...this.#head, ...status, output: this.#output, usage };
    return this.#say(`response.${status.status}`, { response });
  }

  /** Reports the part that contains the text of the block, if it has one. */
  #part(stage: "added" | "done"): string {
    const growth = GROWTHS[this.#block.type];
    if (growth?.part === undefined) return "";
    const type = growth.text === "output_text" ? "output_text" : "summary_text";
    const part = { type, text: this.#text, ...(type === "output_text" && { annotations: [] }) };
    return this.#placed(`response.${growth.part}.${stage}`, growth, { part });
  }

  #grow(stage: "delta" | "done", fields: JsonObject): string {
    const growth = GROWTHS[this.#block.type];
    return growth ? this.#placed(`response.${growth.text}.${stage}`, growth, fields) : "";
  }

  #placed(type: string, { place }: Growth, fields: JsonObject): string {
    const output_index = this.#output.length;
    const item_id = itemOf(this.#block, output_index).id;
    return this.#say(type, { item_id, output_index, ...place, ...fields });
  }

  #say(type: string, fields: JsonObject): string {
    const { comments, tight, lineEnd = "\n" } = this.#quirks;
    const data = JSON.stringify({ type, sequence_number: this.#sequence++, ...fields });
    const whole = `${comments ? ": PROCESSING\n\n" : ""}event: ${type}\ndata:${tight ? "" : " "}${data}\n\n`;
    return whole.replaceAll("\n", lineEnd);
  }
}
