import { encodeLine, type Line } from "@agentwire/protocol";
import { limitPayload, truncationMarker } from "./payload.ts";

/** A message that may be stored, and how large it was if it had to be cut. */
export interface Limited<T> {
  /** Undefined where cutting texts does not help. */
  readonly message: T | undefined;
  readonly cutBytes?: number;
}

/** How many bytes one character may take. */
const MAX_BYTES_PER_CHAR = 3;

/** How many characters surely fit into so many bytes. */
const surelyFits = (maxBytes: number): number => Math.floor(maxBytes / MAX_BYTES_PER_CHAR);

/** Cuts the longest texts of a message whose line is too long; most lines are short enough without counting. */
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

/** A line as it is stored beside the events: unchanged, or with its longest texts cut, but always JSON. */
export function rawLine(message: unknown, line: string): string {
  if (line.length <= surelyFits(MAX_RAW_BYTES)) return line;
  const limit = limitPayload(message, { maxBytes: MAX_RAW_BYTES, lineBytes: Buffer.byteLength(line) });
  if (limit.fits) return limit.cutStrings === 0 ? line : encodeLine(limit.value).slice(0, -1);
  return JSON.stringify(truncationMarker(limit.originalBytes));
}

/** How much is stored of a line that is not a message. */
const MAX_MALFORMED_CHARS = 8192;

/** A line that is not a message, as it is stored: unchanged, or its beginning. */
export function malformedLine(line: Line): string {
  if (typeof line !== "string") return line.head + truncationMarker(line.bytes);
  return line.length <= MAX_MALFORMED_CHARS
    ? line
    : line.slice(0, MAX_MALFORMED_CHARS) + truncationMarker(Buffer.byteLength(line));
}
