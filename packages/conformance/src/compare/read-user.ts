import type { JsonObject } from "@agentwire/protocol";
import { at, textAt } from "../json-path.ts";
import { type Context, isCalled, promptLabel, sessionOf } from "./context.ts";
import type { Fields, SortKey, UnplacedItem } from "./item.ts";
import { contentOf } from "./read-assistant.ts";
import { collapseRuns } from "./texts.ts";

const INTERRUPTED = "[Request interrupted by user";
const COMMAND_OUTPUT = "<local-command";

/** Reads a user line of the agent: tool results, replayed prompts, and text that it adds in the user's name. */
export function readUser(line: JsonObject, context: Context): readonly UnplacedItem[] {
  const parent = context.tool(line.parent_tool_use_id);
  const common = {
    parent,
    isReplay: line.isReplay === true,
    isSynthetic: line.isSynthetic === true,
    uuid: line.isReplay ? promptLabel(line.uuid, context) : typeof line.uuid === "string",
    ...sessionOf(line, context),
  };
  return contentOf(line).map((block) => {
    switch (at(block, "type")) {
      case "tool_result":
        return readToolResult(block, common, parent, context);
      case "text":
        return readText(textAt(block, "text") ?? "", common, placeOf(line, parent));
      default:
        return { kind: `user: ${at(block, "type")}`, hard: common, place: placeOf(line, parent) };
    }
  });
}

function readToolResult(
  block: unknown,
  common: Fields,
  parent: string | null,
  context: Context,
): UnplacedItem {
  const id = at(block, "tool_use_id");
  const tool = context.tool(id);
  return {
    kind: `user: tool_result ${tool}`,
    hard: { ...common, is_error: at(block, "is_error") === true, after_its_call: isCalled(id, context) },
    soft: { content: collapseRuns(plainText(at(block, "content"))) },
    place: ofTool(parent ?? tool),
  };
}

/** Hosts look for interrupt markers and for their own prompts; any other wording is up to the agent. */
function readText(
  text: string,
  common: Fields & { readonly isReplay: boolean },
  place: SortKey,
): UnplacedItem {
  if (common.isReplay && !text.startsWith(COMMAND_OUTPUT)) {
    return { kind: "user: text", hard: { ...common, text }, place };
  }
  if (text.startsWith(INTERRUPTED)) return { kind: `user: text ${text}`, hard: common, place };
  return { kind: "user: text", hard: common, soft: { text: collapseRuns(text) }, place };
}

function placeOf(line: JsonObject, parent: string | null): SortKey {
  return line.isSynthetic ? { of: "end" } : ofTool(parent);
}

/** The position of something that belongs to a tool call, or to none. */
export function ofTool(tool: string | null): SortKey {
  return tool === null ? { of: "tool" } : { of: "tool", tool };
}

function plainText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined ? "" : JSON.stringify(content);
  return content.map(blockText).join("\n");
}

function blockText(block: unknown): string {
  if (at(block, "type") === "image") return "<image>";
  return textAt(block, "text") ?? JSON.stringify(block);
}
