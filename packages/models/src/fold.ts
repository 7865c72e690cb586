import { isJsonObject } from "@agentwire/protocol";
import {
  type ApiEvent,
  type ApiMessage,
  type BlockDelta,
  type ContentBlock,
  NO_USAGE,
  type Usage,
  type UsageSoFar,
} from "@agentwire/protocol/messages";
import { parseJsonObject } from "@agentwire/protocol/support";

/** A completed block of a reply. */
export interface CompletedBlock {
  readonly index: number;
  readonly block: ContentBlock;
  /** The input that the model wrote for a tool if it is not a JSON object; the block's input is then empty. */
  readonly badInput?: string;
}

/** Builds a reply from its events. */
export interface Fold {
  /** Takes the next event; returns the block that it completes, if any. */
  push(event: ApiEvent): CompletedBlock | undefined;
  /** The provider's id for the reply; empty until the reply has started. */
  readonly id: string;
  /** The reply so far: completed blocks only. */
  readonly message: ApiMessage;
  /** Whether the reply is complete. */
  readonly isComplete: boolean;
  /** The number of characters in unfinished blocks. */
  readonly openLength: number;
  /** The text of the unfinished block; empty if there is none or it is not text. */
  readonly partialText: string;
}

interface OpenBlock {
  block: ContentBlock;
  /** What deltas have added to its text, its thinking or, as JSON, its input. */
  added: string;
}

/** Starts a reply. */
export function startFold(): Fold {
  const open = new Map<number, OpenBlock>();
  const content: ContentBlock[] = [];
  let isComplete = false;
  let head: ApiMessage = {
    id: "",
    type: "message",
    role: "assistant",
    model: "",
    content,
    stop_reason: null,
    stop_sequence: null,
    usage: NO_USAGE,
  };

  const complete = (index: number): CompletedBlock | undefined => {
    const found = open.get(index);
    if (!found) return undefined;
    open.delete(index);
    const completed = { index, ...finish(found) };
    content.push(completed.block);
    return completed;
  };

  return {
    push(event) {
      switch (event.type) {
        case "message_start":
          head = { ...event.message, content };
          return undefined;
        case "content_block_start":
          open.set(event.index, { block: event.content_block, added: "" });
          return undefined;
        case "content_block_delta": {
          const found = open.get(event.index);
          if (found) grow(found, event.delta);
          return undefined;
        }
        case "content_block_stop":
          return complete(event.index);
        case "message_delta":
          head = { ...head, ...event.delta, usage: mergeUsage(head.usage, event.usage) };
          return undefined;
        case "message_stop":
          isComplete = true;
          return undefined;
        default:
          return undefined;
      }
    },
    get id() {
      return head.id;
    },
    get message() {
      return { ...head, content: [...content] };
    },
    get isComplete() {
      return isComplete;
    },
    get openLength() {
      return [...open.values()].reduce((sum, { added }) => sum + added.length, 0);
    },
    get partialText() {
      const texts = [...open.values()].map(({ block, added }) =>
        block.type === "text" ? block.text + added : "",
      );
      return texts.join("");
    },
  };
}

/** Appends only to the text: a new block per delta would cost more than reading the delta. */
function grow(open: OpenBlock, delta: BlockDelta): void {
  const { block } = open;
  switch (delta.type) {
    case "text_delta":
      if (block.type === "text") open.added += delta.text;
      return;
    case "thinking_delta":
      if (block.type === "thinking") open.added += delta.thinking;
      return;
    case "signature_delta":
      if (block.type === "thinking") open.block = { ...block, signature: delta.signature };
      return;
    case "citations_delta":
      if (block.type === "text" && isJsonObject(delta.citation)) {
        open.block = { ...block, citations: [...(block.citations ?? []), delta.citation] };
      }
      return;
    case "input_json_delta":
      open.added += delta.partial_json;
  }
}

function finish({ block, added }: OpenBlock): Omit<CompletedBlock, "index"> {
  if (added === "") return { block };
  if (block.type === "text") return { block: { ...block, text: block.text + added } };
  if (block.type === "thinking") return { block: { ...block, thinking: block.thinking + added } };
  if (!takesInput(block)) return { block };
  const input = parseJsonObject(added);
  return input ? { block: { ...block, input } } : { block: { ...block, input: {} }, badInput: added };
}

function takesInput(block: ContentBlock) {
  return block.type === "tool_use" || block.type === "server_tool_use" || block.type === "mcp_tool_use";
}

/** A missing or null count has not changed. */
function mergeUsage(before: Usage, change: UsageSoFar): Usage {
  const known = Object.entries(change).filter(([, value]) => value !== null && value !== undefined);
  return { ...before, ...Object.fromEntries(known) };
}
