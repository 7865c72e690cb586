import type { ContentBlock, DocumentBlock, ImageBlock } from "@agentwire/protocol/messages";
import { imageTypeOf, isBase64, isPdf, MAX_DOCUMENT_CHARS, MAX_IMAGE_CHARS } from "../model/media.ts";

/** Blocks that the provider accepts, and what was wrong with those that were left out. */
export interface ValidBlocks {
  readonly blocks: readonly ContentBlock[];
  readonly faults: readonly string[];
}

/**
 * Checks images and documents before they enter a conversation: one that the provider refuses would make every later call fail. A
 * text replaces what is left out, so that the model knows about it; the type of a mislabeled image is corrected.
 */
export function validBlocks(given: readonly ContentBlock[]): ValidBlocks {
  const faults: string[] = [];
  const sound = (block: ContentBlock): ContentBlock => {
    if (block.type === "tool_result" && Array.isArray(block.content))
      return { ...block, content: (block.content as ContentBlock[]).map(sound) };
    const checked =
      block.type === "image" ? image(block) : block.type === "document" ? document(block) : block;
    if (typeof checked !== "string") return checked;
    faults.push(checked);
    return leftOut(checked);
  };
  return { blocks: given.some(isSuspect) ? given.map(sound) : given, faults };
}

/** The text that replaces a block. */
export const leftOut = (why: string): ContentBlock => ({ type: "text", text: `[Left out: ${why}.]` });

const isSuspect = ({ type }: ContentBlock) =>
  type === "image" || type === "document" || type === "tool_result";

/** The first decoded bytes of base64: enough to recognize the type. */
const headOf = (data: string) => Buffer.from(data.slice(0, 1368), "base64");

function image(block: ImageBlock): ImageBlock | string {
  const { source } = block;
  if (source.type !== "base64") return block;
  const { data } = source;
  if (!isBase64(data)) return "an image whose data is not base64";
  if (data.length > MAX_IMAGE_CHARS) return `an image of more than ${MAX_IMAGE_CHARS} bytes in base64`;
  const type = imageTypeOf(headOf(data));
  if (!type) return "an image that is not a PNG, JPEG, GIF or WebP";
  return type === source.media_type ? block : { ...block, source: { ...source, media_type: type } };
}

function document(block: DocumentBlock): DocumentBlock | string {
  const { source } = block;
  if (source.type !== "base64") return block;
  const { data } = source;
  if (!isBase64(data)) return "a document whose data is not base64";
  if (data.length > MAX_DOCUMENT_CHARS)
    return `a document of more than ${MAX_DOCUMENT_CHARS} bytes in base64`;
  return isPdf(headOf(data)) ? block : "a document that is not a PDF";
}
