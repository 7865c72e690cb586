import type { JsonObject } from "@agentwire/protocol";
import { at, listAt, textAt } from "../../json-path.ts";
import { fromChat } from "./chat-request.ts";
import { openaiCounts, openaiError } from "./openai.ts";
import type { Quirks, ReplyWriter, Wire } from "./wire.ts";

/** OpenAI's Chat Completions. */
export const chat: Wire = {
  toMessages: fromChat,
  write: (quirks) => new ChatWriter(quirks),
  whole: wholeCompletion,
  failure: openaiError,
};

const REASONS: Readonly<Record<string, string>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
};

function usageOf(usage: unknown): JsonObject {
  const { input, output, cached, written, reasoning } = openaiCounts(usage);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

/** A tool call that is being written. */
interface OpenCall {
  readonly index: number;
  readonly id: unknown;
  readonly name: unknown;
  json: string;
}

class ChatWriter implements ReplyWriter {
  readonly #quirks: Quirks;
  #head: JsonObject = {};
  #kind = "";
  #calls = 0;
  #call: OpenCall | undefined;
  #usage: unknown;

  constructor(quirks: Quirks) {
    this.#quirks = quirks;
  }

  event(event: JsonObject & { readonly type: string }): string {
    switch (event.type) {
      case "message_start":
        this.#head = {
          id: at(event, "message", "id"),
          object: "chat.completion.chunk",
          model: at(event, "message", "model"),
        };
        this.#usage = at(event, "message", "usage");
        return this.#delta({ role: "assistant", content: "" });
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
        return this.#data({ error: { ...(event.error as JsonObject), code: null } });
      default:
        return "";
    }
  }

  end(): string {
    const { done = "[DONE]" } = this.#quirks;
    return done === null ? "" : this.#line(done);
  }

  #begin(block: unknown): string {
    this.#kind = textAt(block, "type") ?? "";
    if (this.#kind === "redacted_thinking")
      return this.#delta({
        reasoning_details: [{ type: "reasoning.encrypted", data: at(block, "data"), index: 0 }],
      });
    if (this.#kind === "thinking" && this.#quirks.reasoning === "tags")
      return this.#delta({ content: "<think>" });
    if (this.#kind !== "tool_use") return "";
    const call = { index: this.#calls++, id: at(block, "id"), name: at(block, "name"), json: "" };
    this.#call = call;
    const { wholeArguments, objectArguments, emptyObjectFirst } = this.#quirks;
    return wholeArguments || objectArguments ? "" : this.#piece(call, emptyObjectFirst ? "{}" : "", true);
  }

  #add(delta: unknown): string {
    const text = textAt(delta, "text") ?? textAt(delta, "thinking");
    if (text !== undefined)
      return this.#kind === "thinking" ? this.#think(text) : this.#delta({ content: text });
    const json = textAt(delta, "partial_json");
    const call = this.#call;
    if (json === undefined || !call) return "";
    call.json += json;
    return this.#quirks.wholeArguments || this.#quirks.objectArguments || json === ""
      ? ""
      : this.#piece(call, json, this.#quirks.repeatedNames === true);
  }

  #think(text: string): string {
    switch (this.#quirks.reasoning) {
      case "reasoning":
        return this.#delta({ reasoning: text });
      case "details":
        return this.#delta({
          reasoning: text,
          reasoning_details: [{ type: "reasoning.text", text, index: 0 }],
        });
      case "parts":
        return this.#delta({ content: [{ type: "thinking", thinking: [{ type: "text", text }] }] });
      case "tags":
        return this.#delta({ content: text });
      default:
        return this.#delta({ reasoning_content: text });
    }
  }

  #endBlock(): string {
    const call = this.#call;
    const kind = this.#kind;
    this.#kind = "";
    this.#call = undefined;
    if (kind === "thinking" && this.#quirks.reasoning === "tags")
      return this.#delta({ content: "</think>\n\n" });
    if (!call) return "";
    const { wholeArguments, objectArguments } = this.#quirks;
    if (objectArguments) return this.#piece(call, JSON.parse(call.json || "{}"), true);
    return wholeArguments ? this.#piece(call, call.json, true) : "";
  }

  #piece({ index, id, name }: OpenCall, given: unknown, isNamed: boolean): string {
    const { noIds, sameIndex, noIndex } = this.#quirks;
    return this.#delta({
      tool_calls: [
        {
          ...(!noIndex && { index: sameIndex ? 0 : index }),
          ...(isNamed && { ...(!noIds && { id }), type: "function" }),
          function: { ...(isNamed && { name }), arguments: given },
        },
      ],
    });
  }

  #finish(event: JsonObject): string {
    this.#usage = at(event, "usage");
    const reason = String(at(event, "delta", "stop_reason"));
    const finish_reason = this.#quirks.alwaysStop ? "stop" : (REASONS[reason] ?? reason);
    const { usage = "own" } = this.#quirks;
    const last = { ...this.#head, choices: [{ index: 0, delta: {}, finish_reason }] };
    const counted = usageOf(this.#usage);
    if (usage === "last" || usage === "every") return this.#data({ ...last, usage: counted });
    if (usage === "never") return this.#data(last);
    return this.#data(last) + this.#data({ ...this.#head, choices: [], usage: counted });
  }

  #delta(delta: JsonObject): string {
    const choices = [{ index: 0, delta, finish_reason: null }];
    const usage = this.#quirks.usage === "every" ? { usage: usageOf(this.#usage) } : {};
    return this.#data({ ...this.#head, choices, ...usage });
  }

  #data(value: JsonObject): string {
    return this.#line(JSON.stringify(value));
  }

  #line(text: string): string {
    const { comments, tight, lineEnd = "\n" } = this.#quirks;
    const whole = `${comments ? ": PROCESSING\n\n" : ""}data:${tight ? "" : " "}${text}\n\n`;
    return whole.replaceAll("\n", lineEnd);
  }
}

function wholeCompletion(message: JsonObject): JsonObject {
  const blocks = listAt(message, "content");
  const texts = blocks.flatMap((block) => textAt(block, "text") ?? []);
  const thinking = blocks.flatMap((block) => textAt(block, "thinking") ?? []);
  const calls = blocks.filter((block) => at(block, "type") === "tool_use");
  const reason = String(message.stop_reason);
  return {
    id: message.id,
    object: "chat.completion",
    model: message.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: texts.length > 0 ? texts.join("") : null,
          ...(thinking.length > 0 && { reasoning_content: thinking.join("") }),
          ...(calls.length > 0 && {
            tool_calls: calls.map((call) => ({
              id: at(call, "id"),
              type: "function",
              function: { name: at(call, "name"), arguments: JSON.stringify(at(call, "input")) },
            })),
          }),
        },
        finish_reason: REASONS[reason] ?? reason,
      },
    ],
    usage: usageOf(message.usage),
  };
}
