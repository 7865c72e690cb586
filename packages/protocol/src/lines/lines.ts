import { isAscii, isUtf8 } from "node:buffer";

/** The longest line that is kept by default: 10 MiB. */
export const DEFAULT_MAX_LINE_BYTES = 10_485_760;

/** A line that could not become text: too long to keep, or not UTF-8. The lines around it are unaffected. */
export class BadLine {
  readonly reason: "too_long" | "invalid_utf8";
  /** The true size without its LF, counted even if the bytes were discarded; includes the CR of a CRLF. */
  readonly bytes: number;
  /** The beginning of the line, for a report. */
  readonly head: string;

  constructor(reason: BadLine["reason"], bytes: number, head: string) {
    this.reason = reason;
    this.bytes = bytes;
    this.head = head;
  }
}

/** One line without its newline. */
export type Line = string | BadLine;

const LF = 10;
const CR = 13;
const BYTE_ORDER_MARK = 0xfeff;
const HEAD_BYTES = 256;
const SMALL_BUFFER = 65_536;

/** Splits bytes into lines, however they were chunked; memory is bounded by the longest line allowed. */
export class LineSplitter {
  readonly #maxBytes: number;
  /**
   * The unfinished line. The buffer grows by doubling, so that a line sent byte by byte costs no more than
   * one sent whole.
   */
  #held = Buffer.allocUnsafe(0);
  #heldBytes = 0;
  /** The true size of the unfinished line, which is more than what is held once the line is too long. */
  #lineBytes = 0;

  constructor(maxBytes: number = DEFAULT_MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Takes the next bytes and returns the lines they complete. */
  push(bytes: Uint8Array): Line[] {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const lines: Line[] = [];
    const last = chunk.lastIndexOf(LF);
    let start = 0;
    if (last >= 0 && this.#lineBytes > 0) {
      const first = chunk.indexOf(LF);
      this.#hold(chunk.subarray(0, first));
      this.#finish(lines);
      start = first + 1;
    }
    if (last >= start) this.#cut(chunk.subarray(start, last), lines);
    if (last + 1 < chunk.length) this.#hold(chunk.subarray(last + 1));
    return lines;
  }

  /** Marks the end of the bytes; an unterminated last line counts. */
  end(): Line[] {
    const lines: Line[] = [];
    if (this.#lineBytes > 0) this.#finish(lines);
    return lines;
  }

  /** Splits a block of complete lines; decoding them all at once is what makes short lines cheap. */
  #cut(block: Buffer, lines: Line[]): void {
    const text = block.length <= this.#maxBytes ? decode(block) : undefined;
    if (text !== undefined) {
      let start = 0;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
        this.#add(text.slice(start, end), lines);
        start = end + 1;
      }
      this.#add(start === 0 ? text : text.slice(start), lines);
      return;
    }
    let start = 0;
    for (let end = block.indexOf(LF); end >= 0; end = block.indexOf(LF, start)) {
      this.#addBytes(block.subarray(start, end), lines);
      start = end + 1;
    }
    this.#addBytes(block.subarray(start), lines);
  }

  #addBytes(bytes: Buffer, lines: Line[]): void {
    if (bytes.length > this.#maxBytes) {
      lines.push(new BadLine("too_long", bytes.length, headOf(bytes)));
      return;
    }
    const text = decode(bytes);
    if (text === undefined) lines.push(new BadLine("invalid_utf8", bytes.length, headOf(bytes)));
    else this.#add(text, lines);
  }

  #add(text: string, lines: Line[]): void {
    // A byte order mark can't begin JSON: its writer marks the start of its text, wherever a program before it stopped.
    const start = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
    const end = text.charCodeAt(text.length - 1) === CR ? text.length - 1 : text.length;
    const line = start === 0 && end === text.length ? text : text.slice(start, end);
    if (!isBlank(line)) lines.push(line);
  }

  #finish(lines: Line[]): void {
    const held = this.#held.subarray(0, this.#heldBytes);
    if (this.#lineBytes > this.#maxBytes) lines.push(new BadLine("too_long", this.#lineBytes, headOf(held)));
    else this.#addBytes(held, lines);
    // One giant line must not cost its size for the rest of the session.
    if (this.#held.length > SMALL_BUFFER && this.#heldBytes < this.#held.length / 4) this.#release();
    this.#heldBytes = 0;
    this.#lineBytes = 0;
  }

  #hold(bytes: Buffer): void {
    const wasTooLong = this.#lineBytes > this.#maxBytes;
    this.#lineBytes += bytes.length;
    if (wasTooLong) return;
    if (this.#lineBytes > this.#maxBytes) {
      this.#keepHead(bytes);
      return;
    }
    this.#append(bytes);
  }

  #append(bytes: Buffer): void {
    const total = this.#heldBytes + bytes.length;
    if (total > this.#held.length) {
      const grown = Buffer.allocUnsafe(
        Math.max(total, Math.min(this.#maxBytes, Math.max(this.#held.length * 2, SMALL_BUFFER))),
      );
      this.#held.copy(grown, 0, 0, this.#heldBytes);
      this.#held = grown;
    }
    bytes.copy(this.#held, this.#heldBytes);
    this.#heldBytes = total;
  }

  /** The line has become too long: only its beginning is worth keeping. */
  #keepHead(next: Buffer): void {
    const head = Buffer.concat([
      this.#held.subarray(0, Math.min(this.#heldBytes, HEAD_BYTES)),
      next.subarray(0, HEAD_BYTES),
    ]);
    this.#release();
    this.#append(head);
  }

  #release(): void {
    this.#held = Buffer.allocUnsafe(0);
    this.#heldBytes = 0;
  }
}

/** Reads a stream of bytes as batches of lines, one batch per chunk; the source waits while a batch is processed. */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
  maxBytes: number = DEFAULT_MAX_LINE_BYTES,
): AsyncGenerator<Line[], void, undefined> {
  const splitter = new LineSplitter(maxBytes);
  for await (const chunk of input) {
    const lines = splitter.push(chunk);
    if (lines.length > 0) yield lines;
  }
  const rest = splitter.end();
  if (rest.length > 0) yield rest;
}

function decode(bytes: Buffer): string | undefined {
  // ASCII is the common case, and copying it is several times cheaper than decoding UTF-8.
  if (isAscii(bytes)) return bytes.toString("latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

const headOf = (bytes: Buffer) => bytes.subarray(0, HEAD_BYTES).toString("utf8");

function isBlank(line: string): boolean {
  // One character is enough to decide for every line that is not blank.
  return line.length === 0 || (line.charCodeAt(0) <= 32 && line.trim() === "");
}
