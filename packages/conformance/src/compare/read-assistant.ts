import type { JsonObject } from "@agentwire/protocol";
import { at, mapTexts, textAt } from "../json-path.ts";
import { type Context, sessionOf } from "./context.ts";
import type { Fields, SortKey, UnplacedItem } from "./item.ts";
import { collapseRuns } from "./texts.ts";

/** Reads an assistant line: one item for each of its blocks. */
export function readAssistant(line: JsonObject, context: Context): readonly UnplacedItem[] {
  const parent = context.tool(line.parent_tool_use_id);
  const id = textAt(line, "message", "id");
  const synthetic = at(line, "message", "model") === "<synthetic>";
  const common = {
    parent,
    stop_reason: at(line, "message", "stop_reason") ?? null,
    error: line.error ?? null,
    synthetic,
    message: context.message(id),
    uuid: typeof line.uuid === "string",
    ...sessionOf(line, context),
  };
  const place: SortKey =
    parent === null ? { of: "message", ...(id && { id }) } : { of: "tool", tool: parent };
  const blocks = contentOf(line);
  if (blocks.length === 0) return [{ kind: "assistant: empty", hard: common, place }];
  return blocks.map((block) => {
    const text = textAt(block, "text");
    if (parent === null && text !== undefined) context.lastText = { text, synthetic };
    return { ...readBlock(block, common, synthetic, context), place: opening(place, block, context) };
  });
}

function readBlock(block: unknown, common: Fields, synthetic: boolean, context: Context): UnplacedItem {
  const type = at(block, "type");
  const kind = `assistant: ${type}`;
  switch (type) {
    case "text": {
      const text = collapseRuns(textAt(block, "text") ?? "");
      // Text by the agent itself is not the model's, and hosts do not rely on its wording.
      return synthetic ? { kind, hard: common, soft: { text } } : { kind, hard: { ...common, text } };
    }
    case "thinking":
      return {
        kind,
        hard: { ...common, thinking: at(block, "thinking"), signature: at(block, "signature") ?? null },
      };
    case "redacted_thinking":
      return { kind, hard: { ...common, data: at(block, "data") } };
    case "tool_use": {
      context.called.add(String(at(block, "id")));
      const input = mapTexts(at(block, "input"), collapseRuns);
      const id = context.tool(at(block, "id"));
      return { kind: `${kind} ${at(block, "name")}`, hard: { ...common, id, input } };
    }
    default:
      return { kind, hard: common };
  }
}

function opening(place: SortKey, block: unknown, context: Context): SortKey {
  if (place.of !== "message" || at(block, "type") !== "tool_use") return place;
  const opens = context.tool(at(block, "id"));
  return opens === null ? place : { ...place, opens };
}

/** The blocks of a message; plain text is one block. */
export function contentOf(line: JsonObject): readonly unknown[] {
  const content = at(line, "message", "content");
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}
