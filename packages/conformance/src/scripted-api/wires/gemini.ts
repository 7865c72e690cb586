import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { at, listAt, textAt } from "../../json-path.ts";
import type { ReplyWriter, Wire } from "./wire.ts";

const USUAL_TOKENS = 32_000;
const PATH = /\/v1(?:beta)?\/models\/([^/:]+):(streamGenerateContent|generateContent)$/;

/** Google's Gemini API; the path contains the model and whether to stream. */
export const gemini: Wire = {
  toMessages: fromGemini,
  write: () => new GeminiWriter(),
  whole: ({ content, stop_reason, usage }) =>
    chunk(listAt({ content }, "content").flatMap(partOf), String(stop_reason), usage),
  failure: (status, { type, message }) => ({ error: { code: status, message, status: type.toUpperCase() } }),
};

/** Whether a path belongs to the Gemini API. */
export const isGemini = (path: string): boolean => PATH.test(path);

function fromGemini(body: JsonObject, path: string): JsonObject {
  const [, model, method] = PATH.exec(path) ?? [];
  const tools = listAt(body, "tools").flatMap((tool) => listAt(tool, "functionDeclarations"));
  return {
    model,
    max_tokens: at(body, "generationConfig", "maxOutputTokens") ?? USUAL_TOKENS,
    system: listAt(at(body, "systemInstruction"), "parts")
      .map((part) => textAt(part, "text") ?? "")
      .join("\n"),
    messages: listAt(body, "contents").map((content) => ({
      role: at(content, "role") === "model" ? "assistant" : "user",
      content: listAt(content, "parts").map(blockOf),
    })),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({
        name: at(tool, "name"),
        description: at(tool, "description"),
        input_schema: at(tool, "parametersJsonSchema") ?? at(tool, "parameters"),
      })),
    }),
    ...(method === "streamGenerateContent" && { stream: true }),
  };
}

function blockOf(part: unknown): JsonObject {
  const call = at(part, "functionCall");
  if (isJsonObject(call)) return { type: "tool_use", id: call.id, name: call.name, input: call.args ?? {} };
  const answer = at(part, "functionResponse");
  if (isJsonObject(answer))
    return { type: "tool_result", tool_use_id: answer.id, content: JSON.stringify(answer.response) };
  const text = textAt(part, "text");
  return text === undefined ? { type: "text", text: JSON.stringify(part) } : { type: "text", text };
}

const REASONS: Readonly<Record<string, string>> = { max_tokens: "MAX_TOKENS", refusal: "SAFETY" };

function chunk(parts: readonly JsonObject[], reason: string | undefined, usage: unknown): JsonObject {
  const [input, output] = [at(usage, "input_tokens") ?? 0, at(usage, "output_tokens") ?? 0];
  return {
    candidates: [
      {
        index: 0,
        content: { role: "model", parts },
        ...(reason !== undefined && { finishReason: REASONS[reason] ?? "STOP" }),
      },
    ],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: Number(input) + Number(output),
    },
  };
}

const partOf = (block: unknown): JsonObject[] => {
  const [text, thinking] = [textAt(block, "text"), textAt(block, "thinking")];
  if (at(block, "type") === "tool_use")
    return [
      { functionCall: { id: at(block, "id"), name: at(block, "name"), args: at(block, "input") ?? {} } },
    ];
  if (thinking !== undefined) return [{ text: thinking, thought: true }];
  return text === undefined ? [] : [{ text }];
};

/** In this wire, tool calls are sent whole, and texts in pieces. */
class GeminiWriter implements ReplyWriter {
  #call: { readonly block: JsonObject; json: string } | undefined;
  #usage: unknown;

  event(event: JsonObject & { readonly type: string }): string {
    switch (event.type) {
      case "message_start":
        this.#usage = at(event, "message", "usage");
        return "";
      case "content_block_start":
        this.#call =
          at(event, "content_block", "type") === "tool_use"
            ? { block: event.content_block as JsonObject, json: "" }
            : undefined;
        return "";
      case "content_block_delta": {
        if (this.#call) this.#call.json += textAt(event, "delta", "partial_json") ?? "";
        return this.#parts(partOf(event.delta));
      }
      case "content_block_stop": {
        const call = this.#call;
        this.#call = undefined;
        return call ? this.#parts(partOf({ ...call.block, input: JSON.parse(call.json || "{}") })) : "";
      }
      case "message_delta":
        return data(
          chunk([], String(at(event, "delta", "stop_reason")), {
            ...Object(this.#usage),
            ...Object(event.usage),
          }),
        );
      case "error":
        return data({ error: { code: 500, message: textAt(event, "error", "message"), status: "INTERNAL" } });
      default:
        return "";
    }
  }

  end(): string {
    return "";
  }

  #parts(parts: readonly JsonObject[]): string {
    return parts.length > 0 ? data(chunk(parts, undefined, this.#usage)) : "";
  }
}

const data = (value: JsonObject) => `data: ${JSON.stringify(value)}\n\n`;
