import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { within } from "@agentwire/protocol/support";

/** The largest file read this way is the one in which the official agent keeps its data about all projects. */
const MAX_BYTES = 64 * 1024 * 1024;
/** A disk that hangs must not prevent a session from starting. */
const MAX_MS = 5000;
const CHUNK_BYTES = 65_536;
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Reads a text file that may come from another user. Pipes, sockets and devices are refused without being opened,
 * and a read that is too large or too slow is abandoned: a file in a checkout must not hang the agent or exhaust its memory. Rejects like
 * `readFile`.
 */
export async function readRegularFile(path: string, maxBytes = MAX_BYTES): Promise<string> {
  let text: string | undefined;
  const isInTime = await within(MAX_MS, async (late) => {
    text = await readBounded(path, maxBytes, late);
  });
  if (!isInTime || text === undefined) throw new Error(`${path} could not be read within ${MAX_MS / 1000} s`);
  return text;
}

/** The synchronous version of `readRegularFile`, without a time limit. */
export function readRegularFileSync(path: string, maxBytes = MAX_BYTES): string {
  check(path, statSync(path), maxBytes);
  const file = openSync(path, FLAGS);
  try {
    check(path, fstatSync(file), maxBytes);
    const pieces = new Pieces(path, maxBytes);
    const chunk = Buffer.alloc(CHUNK_BYTES);
    while (pieces.add(chunk, readSync(file, chunk, 0, CHUNK_BYTES, null)));
    return pieces.text;
  } finally {
    closeSync(file);
  }
}

async function readBounded(path: string, maxBytes: number, late: AbortSignal): Promise<string> {
  check(path, await stat(path), maxBytes);
  const file = await open(path, FLAGS);
  try {
    // The file may have been replaced since the first check.
    check(path, await file.stat(), maxBytes);
    const pieces = new Pieces(path, maxBytes);
    const chunk = Buffer.alloc(CHUNK_BYTES);
    while (!late.aborted && pieces.add(chunk, (await file.read(chunk, 0, CHUNK_BYTES, null)).bytesRead));
    return pieces.text;
  } finally {
    await file.close();
  }
}

function check(path: string, found: Stats, maxBytes: number): void {
  if (!found.isFile()) throw new Error(`${path} is not a regular file`);
  if (found.size > maxBytes) throw tooLarge(path, maxBytes);
}

/** Collects what has been read so far. Some files are longer than their reported size. */
class Pieces {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(path: string, maxBytes: number) {
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  /** Adds a chunk; false at the end of the file. */
  add(chunk: Buffer, length: number): boolean {
    this.#bytes += length;
    if (this.#bytes > this.#maxBytes) throw tooLarge(this.#path, this.#maxBytes);
    this.#pieces.push(Buffer.from(chunk.subarray(0, length)));
    return length > 0;
  }

  get text(): string {
    return Buffer.concat(this.#pieces).toString("utf8");
  }
}

const tooLarge = (path: string, maxBytes: number) => new Error(`${path} is larger than ${maxBytes} bytes`);

const MISSING: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR"]);

/** The result of work on a file, or undefined if the file does not exist. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isNoEntry(error)) return undefined;
    throw error;
  }
}

/** Whether an error means that a path does not exist. */
export const isNoEntry = (error: unknown): boolean =>
  error instanceof Error && "code" in error && MISSING.has(error.code);
