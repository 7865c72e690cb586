import type { FileHandle } from "node:fs/promises";
import { decodeText, foreignText, isUtf16, withPlainEndings } from "./text-file.ts";

/** The requested lines of a file. */
export interface LineRange {
  /** Counted from 1. */
  readonly first: number;
  readonly count: number;
}

/** A part of a text file. */
export interface TextPart {
  readonly content: string;
  readonly numLines: number;
  readonly startLine: number;
  readonly totalLines: number;
}

/** A part of a text file, and what is wrong with its bytes. */
export interface ReadPart {
  readonly part: TextPart;
  readonly foreign: string | undefined;
}

/** The result of reading: a part of a text, or why there is none. */
export type TextRead = (ReadPart & { readonly kind: "text" }) | { readonly kind: "too long" };

const CHUNK_BYTES = 256 * 1024;

/** Reads lines of a file of any size, with at most `maxBytes` of it in memory. */
export async function readLines(
  file: FileHandle,
  range: LineRange,
  maxBytes: number,
  signal: AbortSignal,
): Promise<TextRead> {
  const collector = new LineCollector(range, maxBytes);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let isFirst = true; ; isFirst = false) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
    const bytes = chunk.subarray(0, bytesRead);
    if (isFirst && isUtf16(bytes)) return wholeText(bytes, range, bytesRead === CHUNK_BYTES);
    if (bytesRead === 0) break;
    collector.add(bytes);
    if (collector.isOverfull) return { kind: "too long" };
  }
  return { kind: "text", ...collector.end() };
}

// In UTF-16, a newline byte need not be a newline, so such files are read as a whole or not at all.
function wholeText(bytes: Buffer, range: LineRange, isCut: boolean): TextRead {
  if (isCut) return { kind: "too long" };
  const lines = withPlainEndings(decodeText(bytes).text).split("\n");
  const wanted = lines.slice(range.first - 1, range.first - 1 + range.count);
  const part = {
    content: wanted.join("\n"),
    numLines: wanted.length,
    startLine: range.first,
    totalLines: lines.length,
  };
  return { kind: "text", part, foreign: undefined };
}

class LineCollector {
  readonly #range: LineRange;
  readonly #maxBytes: number;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #line = 1;

  constructor(range: LineRange, maxBytes: number) {
    this.#range = range;
    this.#maxBytes = maxBytes;
  }

  get isOverfull(): boolean {
    return this.#keptBytes > this.#maxBytes;
  }

  add(bytes: Buffer): void {
    const { first } = this.#range;
    const end = first + this.#range.count;
    let start = this.#line >= first && this.#line < end ? 0 : -1;
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) {
      this.#line++;
      if (this.#line === end && start !== -1) {
        this.#keep(bytes.subarray(start, at));
        start = -1;
      }
      if (this.#line === first) start = at + 1;
    }
    if (start !== -1) this.#keep(bytes.subarray(start));
  }

  end(): ReadPart {
    const { first, count } = this.#range;
    const bytes = Buffer.concat(this.#kept);
    const { text } = decodeText(bytes);
    const isCut = this.#line >= first + count;
    const part = {
      content: withPlainEndings(isCut ? text.replace(/\r$/, "") : text),
      numLines: Math.max(0, Math.min(count, this.#line - first + 1)),
      startLine: first,
      totalLines: this.#line,
    };
    return { part, foreign: foreignText(bytes) };
  }

  #keep(bytes: Buffer): void {
    this.#kept.push(Buffer.from(bytes));
    this.#keptBytes += bytes.length;
  }
}
