import { IMAGE_TYPES, type InlineImage } from "./images.ts";

/** Models take no larger ones. */
const MOST_BYTES = 5_000_000;

/** A file as an image of a prompt, or why it is none. */
export async function attach(file: File): Promise<InlineImage | string> {
  if (!IMAGE_TYPES.has(file.type))
    return `${file.name} is not an image that agents take (PNG, JPEG, GIF, WebP).`;
  if (file.size > MOST_BYTES) return `${file.name} is larger than 5 MB.`;
  return { mediaType: file.type, data: base64(new Uint8Array(await file.arrayBuffer())) };
}

function base64(bytes: Uint8Array): string {
  // In pieces: a call takes only so many arguments.
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return btoa(pieces.join(""));
}

/** A prompt with images as content blocks; empty for text alone. */
export function contentWith(text: string, images: readonly InlineImage[]): string {
  if (images.length === 0) return "";
  const blocks = images.map(({ mediaType, data }) => ({
    type: "image",
    source: { type: "base64", media_type: mediaType, data },
  }));
  return JSON.stringify([...blocks, ...(text.trim() === "" ? [] : [{ type: "text", text }])]);
}
