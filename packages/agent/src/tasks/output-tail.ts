import { open } from "node:fs/promises";

const TAIL_BYTES = 8 * 1024;

/** The end of a task's output, as in the answer to `get_task_output`. */
export interface OutputTail {
  readonly output: string;
  readonly total_bytes: number;
  readonly truncated: boolean;
}

/** A piece of a task's output and the offset of the next one. */
export interface OutputPiece {
  readonly text: string;
  readonly next: number;
  /** Bytes between the requested and the actual start, left out to keep the piece short. */
  readonly skipped: number;
}

/** Reads the last 8 KiB of a task's output; a missing file counts as empty. */
export async function readOutputTail(path: string): Promise<OutputTail> {
  const { text, next } = await readOutputFrom(path, 0, TAIL_BYTES);
  return { output: text, total_bytes: next, truncated: next > TAIL_BYTES };
}

/** Reads what a task has written since `start`, at most the last `limit` bytes of it. */
export async function readOutputFrom(path: string, start: number, limit: number): Promise<OutputPiece> {
  const file = await open(path, "r").catch(() => undefined);
  if (!file) return { text: "", next: start, skipped: 0 };
  try {
    const { size } = await file.stat();
    const from = Math.max(Math.min(start, size), size - limit);
    const buffer = Buffer.alloc(size - from);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
    const bytes = buffer.subarray(from > start ? firstWholeCharacter(buffer) : 0, bytesRead);
    return { text: bytes.toString("utf8"), next: from + bytesRead, skipped: Math.max(0, from - start) };
  } finally {
    await file.close();
  }
}

function firstWholeCharacter(bytes: Uint8Array): number {
  let at = 0;
  while (at < 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
}
