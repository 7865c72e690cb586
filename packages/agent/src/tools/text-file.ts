import { isUtf8 } from "node:buffer";

/** How the characters of a text file are stored. */
export interface TextForm {
  readonly encoding: "utf8" | "utf16le" | "latin1";
  readonly hasByteOrderMark: boolean;
}

/** The text of a file and how it was stored. */
export interface DecodedText extends TextForm {
  readonly text: string;
}

const BYTE_ORDER_MARK = "\uFEFF";
const SAMPLE_BYTES = 8192;

/** Reads bytes as text. What is not UTF-8 is taken for Latin-1, which loses no byte on the way back. */
export function decodeText(bytes: Buffer): DecodedText {
  const encoding = isUtf16(bytes) ? "utf16le" : isUtf8(bytes) ? "utf8" : "latin1";
  const text = bytes.toString(encoding);
  const hasByteOrderMark = encoding !== "latin1" && text.startsWith(BYTE_ORDER_MARK);
  return { text: hasByteOrderMark ? text.slice(1) : text, encoding, hasByteOrderMark };
}

/** The bytes of a text in the given form; a text that Latin-1 can't hold becomes UTF-8. */
export function encodeText(text: string, { encoding, hasByteOrderMark }: TextForm): Buffer {
  const marked = hasByteOrderMark ? BYTE_ORDER_MARK + text : text;
  const fits = encoding !== "latin1" || !/[^\0-\xff]/.test(text);
  return Buffer.from(marked, fits ? encoding : "utf8");
}

/** Tells a binary file by its first bytes. */
export function isBinary(start: Buffer): boolean {
  return !isUtf16(start) && start.subarray(0, SAMPLE_BYTES).includes(0);
}

/** Tells UTF-16 (little endian) by its byte order mark. */
export function isUtf16(start: Buffer): boolean {
  return start[0] === 0xff && start[1] === 0xfe;
}

/** The text with every line ending in a bare newline, as the model sees it. */
export function withPlainEndings(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** The line ending that most lines of a text have. */
export function lineEnding(text: string): "\n" | "\r\n" {
  return occurrences(text, "\r\n") * 2 > occurrences(text, "\n") ? "\r\n" : "\n";
}

function occurrences(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) count++;
  return count;
}
