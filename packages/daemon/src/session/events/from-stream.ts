import type { StreamEventMessage } from "@agentwire/protocol/messages";
import type { Draft, EventBody } from "../../store/draft.ts";

/** A reply that is being written. */
interface OpenReply {
  /** Empty if the agent has not given it one. */
  readonly id: string;
  /** Its tool calls, by the index of their block. */
  readonly calls: Map<number, Call>;
}

interface Call {
  readonly toolUseId: string;
  readonly name: string;
}

/** Follows the replies that are being written, one for the session itself and one for each subagent. */
export class OpenReplies {
  readonly #replies = new Map<string, OpenReply>();

  /** The deltas of a reply. */
  take({ event, parent_tool_use_id: parent }: StreamEventMessage): readonly Draft[] {
    const writer = parent ?? "";
    switch (event.type) {
      case "message_start":
        this.#replies.set(writer, newReply(event.message.id));
        return [];
      case "content_block_start":
        this.#begin(this.#of(writer), event);
        return [];
      case "content_block_delta": {
        const reply = this.#of(writer);
        const body = pieceOf(event.delta, reply, event.index);
        if (!body) return [];
        return [{ body, deltaOf: replyKey(writer, reply.id), ...(writer !== "" && { parent: writer }) }];
      }
      default:
        return [];
    }
  }

  /** The id under which the deltas of a finished message were sent: its own, unless it or the deltas have none. */
  finish(parent: string, messageId: string): string {
    const open = this.#replies.get(parent);
    if (open?.id === "") {
      // The next deltas without an id belong to another reply.
      this.#replies.delete(parent);
      return "";
    }
    return messageId === "" ? (open?.id ?? "") : messageId;
  }

  /** The turn has ended: no reply is being written. */
  clear(): void {
    this.#replies.clear();
  }

  #of(writer: string): OpenReply {
    const known = this.#replies.get(writer);
    if (known) return known;
    const reply = newReply("");
    this.#replies.set(writer, reply);
    return reply;
  }

  #begin({ calls }: OpenReply, { index, content_block: block }: BlockStart): void {
    if (block.type === "tool_use" || block.type === "server_tool_use" || block.type === "mcp_tool_use")
      calls.set(index, { toolUseId: block.id, name: block.name });
  }
}

const newReply = (id: string): OpenReply => ({ id, calls: new Map() });

/** An id that is unique within the session. */
export const replyKey = (parent: string, messageId: string): string => `${parent}\n${messageId}`;

type StreamEvent = StreamEventMessage["event"];
type BlockStart = Extract<StreamEvent, { type: "content_block_start" }>;
type Delta = Extract<StreamEvent, { type: "content_block_delta" }>["delta"];

function pieceOf(delta: Delta, { id: messageId, calls }: OpenReply, index: number): EventBody | undefined {
  switch (delta.type) {
    case "text_delta":
      return { case: "textDelta", value: { messageId, index, text: delta.text } };
    case "thinking_delta":
      return { case: "thinkingDelta", value: { messageId, index, text: delta.thinking } };
    case "input_json_delta":
      return {
        case: "toolInputDelta",
        value: { messageId, index, partialJson: delta.partial_json, ...calls.get(index) },
      };
    default:
      return undefined;
  }
}
