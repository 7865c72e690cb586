import { encodeLine, isJsonObject, type JsonObject, Unknown } from "@agentwire/protocol";

/** A message within the size limit, or undefined if cutting strings is not enough. */
type LimitedPayload<T> =
  | { readonly fits: true; readonly value: T; readonly originalBytes: number; readonly cutStrings: number }
  | { readonly fits: false; readonly originalBytes: number };

/** How large a message may be. */
interface PayloadLimit {
  readonly maxBytes: number;
  /** The size of the line that the message was read from, which may have been repaired since. */
  readonly lineBytes?: number;
}

// Ids, names and paths stay whole.
const MIN_CUT_BYTES = 256;
const MAX_BYTES_PER_UNIT = 6;

/** The text that ends every cut string; `bytes` is the size of the whole original message. */
export function truncationMarker(bytes: number): string {
  return `[truncated: original_size=${bytes} bytes]`;
}

/**
 * Brings a JSON value under a limit of encoded bytes by cutting its longest string values to a common length.
 * The value itself is not changed; parts without a cut string are shared with the result.
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

  // The second walk meets the strings in the order of the first.
  const inOrder = sizes.values();
  let cutStrings = 0;
  const limited = mapStrings(value, (text) => {
    const { value: size = 0 } = inOrder.next();
    if (size <= length) return text;
    cutStrings += 1;
    return text.slice(0, scan(text, length - marker.length).end) + marker;
  });
  // Strings were replaced by strings, nothing else was touched.
  return { fits: true, value: limited as T, originalBytes, cutStrings };
}

/** The size of a string that may be cut, 0 for one that may not. */
function sizeIfLong(text: string): number {
  if (text.length * MAX_BYTES_PER_UNIT < MIN_CUT_BYTES) return 0;
  const { bytes } = scan(text, Number.POSITIVE_INFINITY);
  return bytes < MIN_CUT_BYTES ? 0 : bytes;
}

/** The greatest length to which the longest strings can be cut so that `excess` bytes go; negative if there is none. */
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

/** The same value with every string but the keys passed through `map`; a part that stays equal stays the same. */
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

/** Of unknown messages only the payload is written. */
function mapPayload(unknown: Unknown, map: (text: string) => string): Unknown {
  const payload = mapMembers(unknown.payload, map);
  return payload === unknown.payload ? unknown : new Unknown(unknown.raw_type, payload);
}

function mapMembers(object: JsonObject, map: (text: string) => string): JsonObject {
  const mapped = Object.entries(object).map(([key, item]) => [key, mapStrings(item, map)] as const);
  // fromEntries defines members where assignment would set the prototype for a key named `__proto__`.
  return mapped.some(([key, item]) => item !== object[key]) ? Object.fromEntries(mapped) : object;
}

/** How far the encoded text stays within `limit` bytes, and how many it takes up to there. */
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

/** How many bytes `encodeLine` writes for one UTF-16 unit that is not half of a pair. */
function unitBytes(unit: number): number {
  if (unit === 0x22 || unit === 0x5c) return 2;
  if (unit < 0x20) return unit >= 0x08 && unit <= 0x0d && unit !== 0x0b ? 2 : 6;
  if (unit < 0x7f) return 1;
  if (unit === 0x7f || unit === 0x2028 || unit === 0x2029) return 6;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 6 : 3;
}
