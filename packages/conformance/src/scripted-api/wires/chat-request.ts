import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { at, listAt, textAt } from "../../json-path.ts";
import { contentOf, document, image, toolChoice, toolResult, toolsOf, toolUse } from "./openai.ts";

const USUAL_TOKENS = 32_000;

/** A request of Chat Completions, converted to the Messages API. */
export function fromChat(body: JsonObject): JsonObject {
  const all = listAt(body, "messages").filter(isJsonObject);
  const system = all.filter(({ role }) => role === "system" || role === "developer");
  const systemTexts = system.flatMap(({ content }) => blocksOf(content)).map(({ text }) => text);
  const effort = textAt(body, "reasoning_effort") ?? textAt(body, "reasoning", "effort");
  const { temperature, top_p, stop } = body;
  return {
    model: body.model,
    max_tokens: body.max_tokens ?? body.max_completion_tokens ?? USUAL_TOKENS,
    ...(systemTexts.length > 0 && { system: systemTexts.join("\n\n") }),
    messages: joined(all.filter((message) => !system.includes(message))),
    ...toolsOf(body),
    ...toolChoice(body.tool_choice, body.parallel_tool_calls),
    ...(effort !== undefined && { output_config: { effort } }),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(stop !== undefined && { stop_sequences: stop }),
    ...(body.stream === true && { stream: true }),
  };
}

/** Joins consecutive messages of one role: in this wire a result is a separate message, and its images are in the next one. */
function joined(messages: readonly JsonObject[]): readonly JsonObject[] {
  const list: { role: string; blocks: JsonObject[] }[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const blocks = message.role === "assistant" ? assistantBlocks(message) : userBlocks(message);
    const last = list.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else list.push({ role, blocks: [...blocks] });
  }
  return list.map(({ role, blocks }) => ({
    role,
    content: contentOf(role === "user" ? withShown(blocks) : blocks),
  }));
}

function userBlocks({ role, content, tool_call_id }: JsonObject): readonly JsonObject[] {
  return role === "tool" ? [toolResult(tool_call_id, String(content ?? ""))] : blocksOf(content);
}

function blocksOf(content: unknown): readonly JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part): JsonObject[] => {
    switch (at(part, "type")) {
      case "image_url":
        return [image(textAt(part, "image_url", "url") ?? "")];
      case "file":
        return [document(textAt(part, "file", "file_data") ?? "", at(part, "file", "filename"))];
      default:
        return isJsonObject(part) ? [part] : [];
    }
  });
}

const SHOWN = /^Result of (.+):$/;

/** Moves the images that follow a result into it. */
function withShown(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const list: JsonObject[] = [];
  let into = -1;
  for (const block of blocks) {
    const [, id] = SHOWN.exec(textAt(block, "text") ?? "") ?? [];
    const found = id === undefined ? -1 : list.findIndex(({ tool_use_id }) => tool_use_id === id);
    if (found >= 0) {
      into = found;
      continue;
    }
    if (into >= 0 && block.text === "From the user:") {
      into = -1;
      continue;
    }
    const result = into < 0 ? undefined : list[into];
    if (result && block.type !== "text")
      list[into] = { ...result, content: [...blocksOf(result.content), block] };
    else {
      into = -1;
      list.push(block);
    }
  }
  return list;
}

function assistantBlocks(message: JsonObject): readonly JsonObject[] {
  const thinking = textAt(message, "reasoning_content") ?? textAt(message, "reasoning");
  return [
    ...(thinking === undefined ? [] : [{ type: "thinking", thinking, signature: "" }]),
    ...listAt(message, "reasoning_details").map(detailBlock),
    ...blocksOf(message.content),
    ...listAt(message, "tool_calls").map((call) =>
      toolUse(at(call, "id"), at(call, "function", "name"), at(call, "function", "arguments")),
    ),
  ];
}

const detailBlock = (detail: unknown): JsonObject =>
  at(detail, "type") === "reasoning.encrypted"
    ? { type: "redacted_thinking", data: at(detail, "data") }
    : { type: "thinking", thinking: at(detail, "text") ?? "", signature: at(detail, "signature") ?? "" };
