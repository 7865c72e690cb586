import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** How much to read from each end of a file: a project may have gigabytes of sessions. */
export const END_BYTES = 65_536;

/** The beginning and the end of a transcript; the same text twice if that is all of it. */
export interface Ends {
  readonly head: string;
  readonly tail: string;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  readonly size: number;
}

/** Reads the ends of a transcript; undefined if there is nothing to read. */
export async function readEnds(path: string): Promise<Ends | undefined> {
  let file: FileHandle | undefined;
  try {
    // Opening a pipe would wait for its other end, and a link may point to a file that is not a session.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stat = await file.stat();
    if (!stat.isFile() || stat.size === 0) return undefined;
    const buffer = Buffer.allocUnsafe(Math.min(END_BYTES, stat.size));
    const head = await textAt(file, buffer, 0);
    const tail = stat.size > END_BYTES ? await textAt(file, buffer, stat.size - END_BYTES) : head;
    return { head, tail, mtime: stat.mtime.getTime(), size: stat.size };
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}

/** The ends of a transcript that is in memory. */
export function endsOfText(text: string, mtime: number): Ends {
  const bytes = Buffer.from(text);
  const head = bytes.subarray(0, END_BYTES).toString();
  const tail = bytes.length > END_BYTES ? bytes.subarray(bytes.length - END_BYTES).toString() : head;
  return { head, tail, mtime, size: bytes.length };
}

async function textAt(file: FileHandle, buffer: Buffer, position: number): Promise<string> {
  const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
  return buffer.toString("utf8", 0, bytesRead);
}
