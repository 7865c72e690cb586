/** An image embedded in an event. */
export interface InlineImage {
  readonly mediaType: string;
  readonly data: string;
}

/** An image as a data URL. */
export const sourceOf = ({ mediaType, data }: InlineImage): string => `data:${mediaType};base64,${data}`;

/** Media types of images that can't contain scripts. */
export const IMAGE_TYPES: ReadonlySet<unknown> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);
const MOST = 20;

/** The images in JSON content blocks. */
export function imagesOf(contentJson: string): readonly InlineImage[] {
  if (!contentJson.includes('"image"')) return [];
  try {
    const blocks: unknown = JSON.parse(contentJson);
    return Array.isArray(blocks) ? blocks.flatMap(imageOf).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

function imageOf(block: unknown): readonly InlineImage[] {
  const { type, source } = (block ?? {}) as { type?: unknown; source?: Record<string, unknown> };
  if (type !== "image" || typeof source !== "object" || source === null) return [];
  const { media_type: mediaType, data } = source;
  const isGood = IMAGE_TYPES.has(mediaType) && typeof data === "string" && /^[A-Za-z0-9+/=]+$/.test(data);
  return isGood ? [{ mediaType: String(mediaType), data: String(data) }] : [];
}

/** Encodes bytes as base64. */
export function base64(bytes: Uint8Array): string {
  // In chunks, because a call accepts only a limited number of arguments.
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return btoa(pieces.join(""));
}
