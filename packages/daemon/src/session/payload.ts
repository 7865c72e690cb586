import { encodeLine, isJsonObject, type JsonObject, Unknown } from "@agentwire/protocol";

/** A message within the size limit, or undefined if truncating strings is not enough. */
type LimitedPayload<T> =
  | { readonly fits: true; readonly value: T; readonly originalBytes: number; readonly cutStrings: number }
  | { readonly fits: false; readonly originalBytes: number };

/** The size limit of a message. */
interface PayloadLimit {
  readonly maxBytes: number;
  /** The size of the line that the message was read from, which may have been repaired since. */
  readonly lineBytes?: number;
}

// Shorter strings, such as ids, names and paths, are never truncated.
const MIN_CUT_BYTES = 256;
const MAX_BYTES_PER_UNIT = 6;

/** The text that ends every truncated string; `bytes` is the size of the original message. */
export function truncationMarker(bytes: number): string {
  return `[truncated: original_size=${bytes} bytes]`;
}

/**
 * Brings a JSON value under a limit of encoded bytes by truncating its longest string values to a common length.
 * The value itself is not changed; parts without a truncated string are shared with the result.
 */
export function limitPayload<T>(value: T, { maxBytes, lineBytes }: PayloadLimit): LimitedPayload<T> {
  const encodedBytes = Buffer.byteLength(encodeLine(value)) - 1;
  const originalBytes = lineBytes ?? encodedBytes;
  if (Math.min(originalBytes, encodedBytes) <= maxBytes)
    return { fits: true, value, originalBytes, cutStrings: 0 };

  const sizes: number[] = [];
  mapStrings(value, (text) => {
    sizes.push(sizeIfLong(text));
    return text;
  });
  const marker = truncationMarker(originalBytes);
  const length = commonLength(sizes, encodedBytes - maxBytes);
  if (length < marker.length) return { fits: false, originalBytes };

  // The second walk visits the strings in the same order as the first.
  const inOrder = sizes.values();
  let cutStrings = 0;
  const limited = mapStrings(value, (text) => {
    const { value: size = 0 } = inOrder.next();
    if (size <= length) return text;
    cutStrings += 1;
    return text.slice(0, scan(text, length - marker.length).end) + marker;
  });
  // Strings were replaced by strings, and nothing else was changed.
  return { fits: true, value: limited as T, originalBytes, cutStrings };
}

/** The size of a string that may be truncated; 0 for any other. */
function sizeIfLong(text: string): number {
  if (text.length * MAX_BYTES_PER_UNIT < MIN_CUT_BYTES) return 0;
  const { bytes } = scan(text, Number.POSITIVE_INFINITY);
  return bytes < MIN_CUT_BYTES ? 0 : bytes;
}

/** The greatest length to which the longest strings can be truncated to save `excess` bytes; negative if there is none. */
function commonLength(sizes: readonly number[], excess: number): number {
  const longestFirst = Float64Array.from(sizes).sort().reverse();
  let total = 0;
  for (const [index, size] of longestFirst.entries()) {
    total += size;
    const length = Math.floor((total - excess) / (index + 1));
    if (length >= (longestFirst[index + 1] ?? 0)) return length;
  }
  return -1;
}

/** Applies `map` to every string except keys; unchanged parts are shared. */
function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const mapped = items.map((item) => mapStrings(item, map));
    return mapped.some((item, index) => item !== items[index]) ? mapped : value;
  }
  if (value instanceof Unknown) return mapPayload(value, map);
  return isJsonObject(value) ? mapMembers(value, map) : value;
}

/** Only the payload of an unknown message is written. */
function mapPayload(unknown: Unknown, map: (text: string) => string): Unknown {
  const payload = mapMembers(unknown.payload, map);
  return payload === unknown.payload ? unknown : new Unknown(unknown.raw_type, payload);
}

function mapMembers(object: JsonObject, map: (text: string) => string): JsonObject {
  const mapped = Object.entries(object).map(([key, item]) => [key, mapStrings(item, map)] as const);
  // fromEntries defines members where assignment would set the prototype for a key named `__proto__`.
  return mapped.some(([key, item]) => item !== object[key]) ? Object.fromEntries(mapped) : object;
}

/** How much of a text fits when encoded to at most `limit` bytes, and how many bytes that takes. */
function scan(text: string, limit: number): { readonly end: number; readonly bytes: number } {
  let bytes = 0;
  let end = 0;
  while (end < text.length) {
    const unit = text.charCodeAt(end);
    const isPair = (unit & 0xfc00) === 0xd800 && (text.charCodeAt(end + 1) & 0xfc00) === 0xdc00;
    const width = isPair ? 4 : unitBytes(unit);
    if (bytes + width > limit) break;
    bytes += width;
    end += isPair ? 2 : 1;
  }
  return { end, bytes };
}

/** How many bytes `encodeLine` writes for one UTF-16 unit that is not part of a surrogate pair. */
function unitBytes(unit: number): number {
  if (unit === 0x22 || unit === 0x5c) return 2;
  if (unit < 0x20) return unit >= 0x08 && unit <= 0x0d && unit !== 0x0b ? 2 : 6;
  if (unit < 0x7f) return 1;
  if (unit === 0x7f || unit === 0x2028 || unit === 0x2029) return 6;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 6 : 3;
}
