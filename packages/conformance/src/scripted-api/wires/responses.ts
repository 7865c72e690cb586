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
  model: at(message, "model"),
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
      };
    default:
      return {
        type: "message",
        id: `msg_${index}`,
        role: "assistant",
        content: [{ type: "output_text", text: at(block, "text"), annotations: [] }],
      };
  }
}

class ResponsesWriter implements ReplyWriter {
  readonly #quirks: Quirks;
  #head: JsonObject = {};
  #sequence = 0;
  /** The block being written, as far as it is known. */
  #block: { readonly type: string; [key: string]: unknown } = { type: "" };
  #json = "";

  constructor(quirks: Quirks) {
    this.#quirks = quirks;
  }

  event(event: JsonObject & { readonly type: string }): string {
    const output_index = event.index;
    switch (event.type) {
      case "message_start":
        this.#head = headOf(event.message);
        return this.#say("response.created", {
          response: { ...this.#head, status: "in_progress", output: [] },
        });
      case "ping":
        return ": ping\n\n";
      case "content_block_start":
        return this.#begin(event);
      case "content_block_delta":
        return this.#add(event.delta, output_index);
      case "content_block_stop":
        return this.#endBlock(output_index);
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

  #begin({ content_block, index: output_index }: JsonObject): string {
    this.#block = { ...(content_block as { type: string }) };
    this.#json = "";
    const item = itemOf({ ...this.#block, text: "", thinking: "", input: {} }, Number(output_index));
    const empty = this.#block.type === "thinking" ? { ...item, summary: [] } : { ...item, arguments: "" };
    const added = this.#say("response.output_item.added", { output_index, item: empty });
    if (this.#block.type !== "thinking") return added;
    return added + this.#say("response.reasoning_summary_part.added", { output_index, summary_index: 0 });
  }

  #add(delta: unknown, output_index: unknown): string {
    const text = textAt(delta, "text");
    const thinking = textAt(delta, "thinking");
    const json = textAt(delta, "partial_json");
    this.#block.signature = textAt(delta, "signature") ?? this.#block.signature;
    if (text !== undefined) {
      this.#block.text = String(this.#block.text ?? "") + text;
      return this.#say("response.output_text.delta", { output_index, delta: text });
    }
    if (thinking !== undefined) {
      this.#block.thinking = String(this.#block.thinking ?? "") + thinking;
      return this.#say("response.reasoning_summary_text.delta", { output_index, delta: thinking });
    }
    if (json === undefined || json === "") return "";
    this.#json += json;
    if (this.#quirks.wholeArguments) return "";
    return this.#say("response.function_call_arguments.delta", { output_index, delta: json });
  }

  #endBlock(output_index: unknown): string {
    const item = itemOf(this.#block, Number(output_index));
    const whole = this.#block.type === "tool_use" ? { ...item, arguments: this.#json || "{}" } : item;
    return this.#say("response.output_item.done", { output_index, item: whole });
  }

  #finish(event: JsonObject): string {
    const status = statusOf(at(event, "delta", "stop_reason"));
    const usage = this.#quirks.usage === "never" ? null : usageOf(event.usage);
    return this.#say(`response.${status.status}`, { response: { ...this.#head, ...status, usage } });
  }

  #say(type: string, fields: JsonObject): string {
    const { comments, tight, lineEnd = "\n" } = this.#quirks;
    const data = JSON.stringify({ type, sequence_number: this.#sequence++, ...fields });
    const whole = `${comments ? ": PROCESSING\n\n" : ""}event: ${type}\ndata:${tight ? "" : " "}${data}\n\n`;
    return whole.replaceAll("\n", lineEnd);
  }
}
