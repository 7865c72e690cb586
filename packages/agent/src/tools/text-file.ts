import { isUtf8 } from "node:buffer";

/** How the characters of a text file are stored. */
export interface TextForm {
  readonly encoding: "utf8" | "utf16le";
  readonly hasByteOrderMark: boolean;
}

/** The text of a file and how it was stored. */
export interface DecodedText extends TextForm {
  readonly text: string;
}

const BYTE_ORDER_MARK = "\uFEFF";
const SAMPLE_BYTES = 8192;

/** Decodes bytes as text. Invalid bytes become U+FFFD; `foreignText` reports them. */
export function decodeText(bytes: Buffer): DecodedText {
  const encoding = isUtf16(bytes) ? "utf16le" : "utf8";
  const text = bytes.toString(encoding);
  const hasByteOrderMark = text.startsWith(BYTE_ORDER_MARK);
  return { text: hasByteOrderMark ? text.slice(1) : text, encoding, hasByteOrderMark };
}

/** Encodes a text in the given form. */
export function encodeText(text: string, { encoding, hasByteOrderMark }: TextForm): Buffer {
  return Buffer.from(hasByteOrderMark ? BYTE_ORDER_MARK + text : text, encoding);
}

/** Why bytes are not text that can be changed and written back without loss; undefined if they are. */
export function foreignText(bytes: Buffer): string | undefined {
  if (isUtf16(bytes)) return undefined;
  if (bytes.subarray(0, SAMPLE_BYTES).includes(0))
    return "has NUL bytes, so it is binary or of another encoding";
  return isUtf8(bytes) ? undefined : "is not valid UTF-8, so it is binary or of an older encoding";
}

/** Recognizes UTF-16 (little endian) by its byte order mark. */
export function isUtf16(start: Buffer): boolean {
  return start[0] === 0xff && start[1] === 0xfe;
}

/** The text with all line endings as plain newlines, as the model sees it. */
export function withPlainEndings(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** The most frequent line ending of a text. */
export function lineEnding(text: string): "\n" | "\r\n" {
  return occurrences(text, "\r\n") * 2 > occurrences(text, "\n") ? "\r\n" : "\n";
}

function occurrences(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) count++;
  return count;
}
