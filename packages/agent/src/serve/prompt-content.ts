import type { ContentBlock, MessageContent } from "@agentwire/protocol/messages";

/** The usable part of a prompt, and what is wrong with the rest, as messages for the host. */
export interface UsableContent {
  /** Undefined if nothing is left. */
  readonly content: MessageContent | undefined;
  readonly problems: readonly string[];
}

const USABLE: ReadonlySet<string> = new Set(["text", "image", "document", "search_result"]);

/**
 * Checks the content of a prompt: text blocks are joined by line breaks; blocks that no model accepts are left out and reported.
 */
export function usableContent(content: MessageContent): UsableContent {
  if (typeof content === "string") return { content, problems: [] };
  const usable = content.filter(isUsable);
  const problems = content.filter((block) => !isUsable(block)).map(problemOf);
  if (usable.length === 0) return { content: undefined, problems };
  const texts = usable.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return { content: texts.length === usable.length ? texts.join("\n") : usable, problems };
}

/** The source of an image or a document may be of an unknown kind. */
function isUsable(block: ContentBlock): boolean {
  if (!USABLE.has(block.type)) return false;
  return (block.type !== "image" && block.type !== "document") || block.source.type !== "unknown";
}

function problemOf(block: ContentBlock): string {
  if (block.type === "unknown")
    return `A content block of type ${block.raw_type} is unsupported or malformed; it is left out`;
  if (USABLE.has(block.type))
    return `The source of a content block of type ${block.type} can't be used; it is left out`;
  return `A content block of type ${block.type} is not allowed in a user message; it is left out`;
}
