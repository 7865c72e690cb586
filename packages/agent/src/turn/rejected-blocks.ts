import type { ModelError } from "@agentwire/models";
import type { ContentBlock } from "@agentwire/protocol/messages";
import { isPromptTooLong } from "../model/error-kind.ts";
import type { ModelMessage } from "../model/model.ts";

/** Where a block is: in which message, which block of it, and which of a tool's result where it is one of those. */
export interface BlockPosition {
  readonly message: number;
  readonly block: number;
  readonly inner?: number;
}

/** How the API names the block that it rejects. */
const NAMED = /messages\.(\d+)\.content\.(\d+)(?:\.tool_result\.content\.(\d+))?/;
/** How it complains of one without naming it. */
const MEDIA = /\b(image|pdf|document)s?\b/i;

/**
 * The blocks that a rejection is about, of those that a conversation can do without: the one that it names; else, if it rejects a
 * picture or a document, those of the last message that has any. None if it is about something else.
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

/** The block at a place. */
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

/** A block that is shorter than this is not what fills a context window. */
const LONG_CHARS = 100_000;

/** The longest of what was said last, where that alone may be more than the model can take in. */
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

/** What the user, or the model itself, has said is never dropped; nor is a call, whose result would be left alone. */
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
