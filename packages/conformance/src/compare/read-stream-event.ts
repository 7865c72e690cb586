import type { JsonObject } from "@agentwire/protocol";
import { at, textAt } from "../json-path.ts";
import { type Context, sessionOf } from "./context.ts";
import type { SortKey, UnplacedItem } from "./item.ts";

/** The prefix of the kind of every delta; `order.ts` joins deltas, as agents may split blocks differently. */
export const DELTA = "stream: content_block_delta";

/** Reads an event of the API's stream. */
export function readStreamEvent(line: JsonObject, context: Context): readonly UnplacedItem[] {
  const event = line.event;
  const type = at(event, "type");
  if (type === "ping") return [];
  const parent = context.tool(line.parent_tool_use_id);
  const place: SortKey = parent === null ? { of: "message" } : { of: "tool", tool: parent };
  const common = { parent, ...sessionOf(line, context) };
  const indexed = { ...common, index: at(event, "index") ?? null };
  switch (type) {
    case "message_start": {
      const id = textAt(event, "message", "id");
      const start: SortKey = parent === null ? { of: "message", ...(id && { id }), starts: true } : place;
      return [
        { kind: "stream: message_start", hard: { ...common, message: context.message(id) }, place: start },
      ];
    }
    case "content_block_start": {
      const block = at(event, "content_block");
      const hard = { ...indexed, name: at(block, "name") ?? null, id: context.tool(at(block, "id")) };
      return [{ kind: `stream: content_block_start ${at(block, "type")}`, hard, place }];
    }
    case "content_block_delta": {
      const delta = at(event, "delta");
      return [{ kind: `${DELTA} ${at(delta, "type")}`, hard: { ...indexed, text: pieceOf(delta) }, place }];
    }
    case "content_block_stop":
      return [{ kind: "stream: content_block_stop", hard: indexed, place }];
    case "message_delta": {
      const stop_reason = at(event, "delta", "stop_reason") ?? null;
      return [{ kind: "stream: message_delta", hard: { ...common, stop_reason }, place }];
    }
    default:
      return [{ kind: `stream: ${type}`, hard: common, place }];
  }
}

const PIECES = ["text", "thinking", "partial_json", "signature"];

function pieceOf(delta: unknown): string {
  const key = PIECES.find((name) => textAt(delta, name) !== undefined);
  return key === undefined ? "" : (textAt(delta, key) ?? "");
}
