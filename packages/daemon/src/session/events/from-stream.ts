import type { StreamEventMessage } from "@agentwire/protocol";
import type { Draft, EventBody } from "./draft.ts";

/** Follows the replies that are being written, one for the session itself and one for each subagent. */
export class OpenReplies {
  readonly #ids = new Map<string, string>();

  /** The pieces of a reply that clients see grow. */
  take({ event, parent_tool_use_id: parent }: StreamEventMessage): readonly Draft[] {
    const writer = parent ?? "";
    if (event.type === "message_start") {
      this.#ids.set(writer, event.message.id);
      return [];
    }
    if (event.type !== "content_block_delta") return [];
    const messageId = this.#ids.get(writer) ?? "";
    const body = pieceOf(event.delta, messageId, event.index);
    if (!body) return [];
    return [{ body, deltaOf: replyKey(writer, messageId), ...(writer !== "" && { parent: writer }) }];
  }
}

/** Tells the reply apart from every other one of the session. */
export const replyKey = (parent: string, messageId: string): string => `${parent}\n${messageId}`;

type Delta = Extract<StreamEventMessage["event"], { type: "content_block_delta" }>["delta"];

function pieceOf(delta: Delta, messageId: string, index: number): EventBody | undefined {
  switch (delta.type) {
    case "text_delta":
      return { case: "textDelta", value: { messageId, index, text: delta.text } };
    case "thinking_delta":
      return { case: "thinkingDelta", value: { messageId, index, text: delta.thinking } };
    case "input_json_delta":
      return { case: "toolInputDelta", value: { messageId, index, partialJson: delta.partial_json } };
    default:
      return undefined;
  }
}
