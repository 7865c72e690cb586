import type { ApiEvent, ContentBlock, StopReason, Usage } from "@agentwire/protocol/messages";

/** A complete reply before it is streamed. */
export interface WholeReply {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly ReplyBlock[];
  readonly stopReason: StopReason;
  readonly usage: Usage;
}

/** A block and the pieces in which its text, thinking or JSON input is streamed. */
export interface ReplyBlock {
  readonly block: ContentBlock;
  readonly pieces: readonly string[];
}

/** The events of a complete reply, as the Messages API would have sent them. */
export function* replyEvents(reply: WholeReply): Generator<ApiEvent> {
  yield {
    type: "message_start",
    message: {
      id: reply.id,
      type: "message",
      role: "assistant",
      model: reply.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...reply.usage, output_tokens: Math.min(reply.usage.output_tokens, 1) },
    },
  };
  for (const [index, block] of reply.blocks.entries()) yield* blockEvents(index, block);
  yield {
    type: "message_delta",
    delta: { stop_reason: reply.stopReason, stop_sequence: null },
    usage: reply.usage,
  };
  yield { type: "message_stop" };
}

function* blockEvents(index: number, { block, pieces }: ReplyBlock): Generator<ApiEvent> {
  yield { type: "content_block_start", index, content_block: emptied(block) };
  for (const piece of pieces) {
    if (block.type === "text") {
      yield { type: "content_block_delta", index, delta: { type: "text_delta", text: piece } };
    } else if (block.type === "thinking") {
      yield { type: "content_block_delta", index, delta: { type: "thinking_delta", thinking: piece } };
    } else {
      yield { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: piece } };
    }
  }
  if (block.type === "thinking") {
    yield {
      type: "content_block_delta",
      index,
      delta: { type: "signature_delta", signature: block.signature },
    };
  }
  yield { type: "content_block_stop", index };
}

/** A block as it starts; parts that are not streamed are already present. */
function emptied(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case "text":
      return { ...block, text: "" };
    case "thinking":
      return { ...block, thinking: "", signature: "" };
    case "tool_use":
    case "server_tool_use":
      return { ...block, input: {} };
    default:
      return block;
  }
}

/** Splits text into pieces of `size` characters without splitting a character; empty text yields one empty piece. */
export function piecesOf(text: string, size: number): readonly string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let i = 0; i < characters.length; i += size) pieces.push(characters.slice(i, i + size).join(""));
  return pieces.length > 0 ? pieces : [""];
}
