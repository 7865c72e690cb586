import { encodeLine, type Line } from "@agentwire/protocol";
import { limitPayload, truncationMarker } from "./payload.ts";

/** A message ready to be stored, and its original size if it had to be truncated. */
export interface Limited<T> {
  /** Undefined if truncating texts is not enough. */
  readonly message: T | undefined;
  readonly cutBytes?: number;
}

/** The maximum number of bytes of one character. */
const MAX_BYTES_PER_CHAR = 3;

/** How many characters are guaranteed to fit into a number of bytes. */
const surelyFits = (maxBytes: number): number => Math.floor(maxBytes / MAX_BYTES_PER_CHAR);

/** Truncates the longest texts of a message whose line is too long; most lines are short enough to skip counting. */
export function limited<T>(message: T, line: string | undefined, maxBytes: number): Limited<T> {
  if (line === undefined || line.length <= surelyFits(maxBytes)) return { message };
  const lineBytes = Buffer.byteLength(line);
  if (lineBytes <= maxBytes) return { message };
  const limit = limitPayload(message, { maxBytes, lineBytes });
  if (!limit.fits) return { message: undefined, cutBytes: limit.originalBytes };
  return limit.cutStrings === 0
    ? { message: limit.value }
    : { message: limit.value, cutBytes: limit.originalBytes };
}

/** The longest line that is stored unchanged. */
const MAX_RAW_BYTES = 65_536;

/** The stored form of a line: unchanged, or with its longest texts truncated, but always JSON. */
export function rawLine(message: unknown, line: string): string {
  if (line.length <= surelyFits(MAX_RAW_BYTES)) return line;
  const limit = limitPayload(message, { maxBytes: MAX_RAW_BYTES, lineBytes: Buffer.byteLength(line) });
  if (limit.fits) return limit.cutStrings === 0 ? line : encodeLine(limit.value).slice(0, -1);
  return JSON.stringify(truncationMarker(limit.originalBytes));
}

/** How much of a line that is not a message is stored. */
const MAX_MALFORMED_CHARS = 8192;

/** The stored form of a line that is not a message: unchanged, or its beginning. */
export function malformedLine(line: Line): string {
  if (typeof line !== "string") return line.head + truncationMarker(line.bytes);
  return line.length <= MAX_MALFORMED_CHARS
    ? line
    : line.slice(0, MAX_MALFORMED_CHARS) + truncationMarker(Buffer.byteLength(line));
}
