import type { ScriptFailure } from "@agentwire/models/script";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { at, listAt, textAt } from "../../json-path.ts";

/** Usage as OpenAI counts it: cached tokens are part of the prompt. */
export function openaiCounts(usage: unknown) {
  const count = (key: string) => Number(at(usage, key) ?? 0);
  const cached = count("cache_read_input_tokens");
  const written = count("cache_creation_input_tokens");
  const reasoning = Number(at(usage, "output_tokens_details", "thinking_tokens") ?? 0);
  return {
    input: count("input_tokens") + cached + written,
    output: count("output_tokens"),
    cached,
    written,
    reasoning,
  };
}

const CODES: Readonly<Record<string, string>> = {
  authentication_error: "invalid_api_key",
  rate_limit_error: "rate_limit_exceeded",
  not_found_error: "model_not_found",
  billing_error: "insufficient_quota",
};

/** An error in OpenAI's format. */
export function openaiError(_status: number, { type, message }: ScriptFailure): JsonObject {
  const isTooLong = /prompt is too long/i.test(message);
  const code = isTooLong ? "context_length_exceeded" : (CODES[type] ?? null);
  return { error: { message, type, param: null, code } };
}

const ERROR = /^<error>\n([\s\S]*)\n<\/error>$/;

/** A tool result; other wires can't mark failures, so the text states them. */
export function toolResult(tool_use_id: unknown, content: string | readonly JsonObject[]): JsonObject {
  const failed = typeof content === "string" ? ERROR.exec(content)?.[1] : undefined;
  if (failed !== undefined) return { type: "tool_result", tool_use_id, content: failed, is_error: true };
  return { type: "tool_result", tool_use_id, content };
}

/** A tool call. */
export function toolUse(id: unknown, name: unknown, text: unknown): JsonObject {
  return { type: "tool_use", id, name, input: parsed(text) };
}

function parsed(text: unknown): unknown {
  if (typeof text !== "string" || text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return { unreadable: text };
  }
}

const DATA = /^data:([^;]+);base64,(.*)$/s;

/** An image, given by its URL. */
export const image = (url: string): JsonObject => ({ type: "image", source: sourceOf(url) });

/** A document, given by its URL and name. */
export const document = (url: string, title: unknown): JsonObject => ({
  type: "document",
  source: sourceOf(url),
  ...(typeof title === "string" && title !== "document.pdf" && { title }),
});

function sourceOf(url: string): JsonObject {
  const [, media_type, data] = DATA.exec(url) ?? [];
  return data === undefined ? { type: "url", url } : { type: "base64", media_type, data };
}

const CHOICES: Readonly<Record<string, string>> = { auto: "auto", required: "any", none: "none" };

/** Converts the choice of a tool. */
export function toolChoice(choice: unknown, parallel: unknown): JsonObject {
  if (choice === undefined) return {};
  const name = textAt(choice, "function", "name") ?? textAt(choice, "name");
  const single = parallel === false ? { disable_parallel_tool_use: true } : {};
  if (name !== undefined) return { tool_choice: { type: "tool", name, ...single } };
  return { tool_choice: { type: CHOICES[String(choice)] ?? "auto", ...single } };
}

/** The tools of a request; those of Chat Completions have an additional wrapper. */
export function toolsOf(body: JsonObject): JsonObject {
  const tools = listAt(body, "tools").map((tool) => {
    const inner = at(tool, "function") ?? tool;
    const description = textAt(inner, "description");
    return {
      name: at(inner, "name"),
      ...(description !== undefined && { description }),
      input_schema: at(inner, "parameters"),
    };
  });
  return tools.length > 0 ? { tools } : {};
}

/** A single text as a string; anything else unchanged. */
export function contentOf(blocks: readonly JsonObject[]): string | readonly JsonObject[] {
  const [only] = blocks;
  return blocks.length === 1 && only?.type === "text" && isJsonObject(only) && Object.keys(only).length === 2
    ? String(only.text)
    : blocks;
}
