import type { ModelError } from "@agentwire/models";
import type { ContentBlock } from "@agentwire/protocol/messages";
import { isPromptTooLong } from "../model/error-kind.ts";
import type { ModelMessage } from "../model/model.ts";

/**
 * The position of a block: the index of its message, its index in that message, and for a block of a tool's result its index
 * there.
 */
export interface BlockPosition {
  readonly message: number;
  readonly block: number;
  readonly inner?: number;
}

/** How the API identifies the block that it rejects. */
const NAMED = /messages\.(\d+)\.content\.(\d+)(?:\.tool_result\.content\.(\d+))?/;
/** How its errors refer to such blocks without identifying one. */
const MEDIA = /\b(image|pdf|document)s?\b/i;

/**
 * The expendable blocks that a rejection is about: the one that it identifies; otherwise, if it rejects an image or a document,
 * those of the last message that has any. None if it is about something else.
 */
export function rejectedBlocks(
  error: ModelError,
  messages: readonly ModelMessage[],
): readonly BlockPosition[] {
  const { status, message } = error;
  if ((status !== 400 && status !== 413) || isPromptTooLong(error)) return [];
  const [, ...numbers] = NAMED.exec(message) ?? [];
  const [index, block, inner] = numbers.map((digits) => (digits === undefined ? undefined : Number(digits)));
  if (index !== undefined && block !== undefined) {
    const place = { message: index, block, ...(inner !== undefined && { inner }) };
    return isDispensable(blockAt(messages, place), messages[index]?.role) ? [place] : [];
  }
  if (status !== 413 && !MEDIA.test(message)) return [];
  const places = messages.flatMap(mediaOf);
  const last = places.at(-1)?.message;
  return places.filter((place) => place.message === last);
}

/** The block at a position. */
export function blockAt(
  messages: readonly ModelMessage[],
  { message, block, inner }: BlockPosition,
): ContentBlock | undefined {
  const content = messages[message]?.content;
  const found = content === undefined ? undefined : asBlocks(content)[block];
  if (inner === undefined) return found;
  return found?.type === "tool_result" && Array.isArray(found.content)
    ? (found.content[inner] as ContentBlock | undefined)
    : undefined;
}

/** Shorter blocks are not what fills a context window. */
const LONG_CHARS = 100_000;

/** The longest block of the last message, if it alone may exceed what the model can process. */
export function longestBlock(messages: readonly ModelMessage[]): BlockPosition | undefined {
  const message = messages.length - 1;
  const { role, content } = messages[message] ?? {};
  if (role !== "user" || content === undefined) return undefined;
  const sizes = asBlocks(content).map((block) => JSON.stringify(block).length);
  const longest = Math.max(...sizes);
  return longest < LONG_CHARS ? undefined : { message, block: sizes.indexOf(longest) };
}

const asBlocks = (content: ModelMessage["content"]): readonly ContentBlock[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** Text of the user or the model is never dropped, and neither is a call, whose result would be left without it. */
function isDispensable(block: ContentBlock | undefined, role: ModelMessage["role"] | undefined): boolean {
  if (!block) return false;
  if (role === "assistant") return block.type === "thinking" || block.type === "redacted_thinking";
  return block.type !== "text";
}

function mediaOf({ content }: ModelMessage, message: number): readonly BlockPosition[] {
  if (typeof content === "string") return [];
  return content.flatMap((one, block): readonly BlockPosition[] => {
    if (isMedia(one)) return [{ message, block }];
    if (one.type !== "tool_result" || !Array.isArray(one.content)) return [];
    return (one.content as ContentBlock[]).flatMap((part, inner) =>
      isMedia(part) ? [{ message, block, inner }] : [],
    );
  });
}

const isMedia = ({ type }: ContentBlock) => type === "image" || type === "document";
