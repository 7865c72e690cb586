/** An image that came inside of an event. */
export interface InlineImage {
  readonly mediaType: string;
  readonly data: string;
}

/** An image as an address that holds all of it. */
export const sourceOf = ({ mediaType, data }: InlineImage): string => `data:${mediaType};base64,${data}`;

/** Kinds that can hold nothing but pixels. */
export const IMAGE_TYPES: ReadonlySet<unknown> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);
const MOST = 20;

/** The images among content blocks. */
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

/** Bytes as letters. */
export function base64(bytes: Uint8Array): string {
  // In pieces: a call takes only so many arguments.
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return btoa(pieces.join(""));
}
