import type { OutputFiles } from "./output-files.ts";

/** How much of an output the conversation takes. */
const MAX_CHARS = 30_000;
const MAX_BYTES_PER_CHAR = 4;

/** The beginning of an output. */
export interface Captured {
  readonly text: string;
  /** There is more. */
  readonly isCut: boolean;
}

/** Reads as much of an output as the conversation takes. */
export function capture(files: OutputFiles, at: number): Captured {
  const bytes = files.read(at, MAX_CHARS * MAX_BYTES_PER_CHAR);
  // Empty lines at both ends say nothing; the indentation of the first line does.
  const text = bytes.toString("utf8").replace(/^(?:[^\S\n]*\n)+/, "");
  const isCut = text.trimEnd().length > MAX_CHARS || bytes.length < files.size(at);
  return { text: isCut ? cutText(text, MAX_CHARS) : text.trimEnd(), isCut };
}

/** The beginning of a text, without half a character at its end. */
export function cutText(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  const isHalf = last >= 0xd800 && last < 0xdc00;
  return text.slice(0, isHalf ? length - 1 : length);
}
