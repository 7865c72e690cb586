import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { at, listAt, textAt } from "../../json-path.ts";
import { contentOf, document, image, toolChoice, toolResult, toolsOf, toolUse } from "./openai.ts";

const USUAL_TOKENS = 32_000;
/** The minimum in Responses; a request with this limit probably wanted a single token. */
const LEAST_TOKENS = 16;

/** A request of Responses, converted to the Messages API. */
export function fromResponses(body: JsonObject): JsonObject {
  const limit = Number(body.max_output_tokens ?? USUAL_TOKENS);
  const effort = textAt(body, "reasoning", "effort");
  const { temperature, top_p } = body;
  return {
    model: body.model,
    max_tokens: limit <= LEAST_TOKENS ? 1 : limit,
    ...(typeof body.instructions === "string" && { system: body.instructions }),
    messages: joined(
      typeof body.input === "string" ? [{ role: "user", content: body.input }] : listAt(body, "input"),
    ),
    ...toolsOf(body),
    ...toolChoice(body.tool_choice, body.parallel_tool_calls),
    ...(effort !== undefined && { output_config: { effort } }),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(body.stream === true && { stream: true }),
  };
}

/** Joins consecutive items of one role into a message. */
function joined(items: readonly unknown[]): readonly JsonObject[] {
  const list: { role: string; blocks: JsonObject[] }[] = [];
  for (const item of items) {
    if (!isJsonObject(item)) continue;
    const { role, blocks } = blocksOf(item);
    const last = list.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else list.push({ role, blocks: [...blocks] });
  }
  return list.map(({ role, blocks }) => ({ role, content: contentOf(blocks) }));
}

function blocksOf(item: JsonObject): { readonly role: string; readonly blocks: readonly JsonObject[] } {
  switch (item.type) {
    case "reasoning":
      return { role: "assistant", blocks: [reasoningBlock(item)] };
    case "function_call":
      return { role: "assistant", blocks: [toolUse(item.call_id, item.name, item.arguments)] };
    case "function_call_output": {
      const output = typeof item.output === "string" ? item.output : partsOf(item.output);
      return { role: "user", blocks: [toolResult(item.call_id, output)] };
    }
    default:
      return { role: String(item.role), blocks: partsOf(item.content) };
  }
}

function partsOf(content: unknown): readonly JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.map((part): JsonObject => {
    switch (at(part, "type")) {
      case "input_image":
        return image(textAt(part, "image_url") ?? "");
      case "input_file":
        return document(textAt(part, "file_data") ?? textAt(part, "file_url") ?? "", at(part, "filename"));
      default:
        return { type: "text", text: textAt(part, "text") ?? "" };
    }
  });
}

function reasoningBlock(item: JsonObject): JsonObject {
  const texts = [...listAt(item, "summary"), ...listAt(item, "content")].flatMap(
    (part) => textAt(part, "text") ?? [],
  );
  const sealed = textAt(item, "encrypted_content") ?? "";
  if (texts.length === 0) return { type: "redacted_thinking", data: sealed };
  return { type: "thinking", thinking: texts.join("\n\n"), signature: sealed };
}
