import { closeSync, fstatSync, ftruncateSync, openSync, readSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { makeOutputFolder } from "../../files/output-folder.ts";

/** How much a command may write before it is stopped. */
export const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * Where a command writes. Files and not pipes: a command never waits for us, and what it leaves running never makes us wait.
 * They are handled synchronously, since each step takes microseconds here and a trip through the thread pool much more.
 */
export class OutputFiles {
  readonly path: string;
  readonly descriptors: readonly number[];
  #isKept = false;

  /** Creates `count` files in a folder. The first has a name; the others vanish when the last process closes them. */
  constructor(folder: string, name: string, count: number) {
    makeOutputFolder(folder);
    this.path = join(folder, name);
    const descriptors: number[] = [];
    try {
      for (let at = 0; at < count; at += 1) descriptors.push(createFile(this.path, at));
    } catch (error) {
      for (const fd of descriptors) closeSync(fd);
      throw error;
    }
    this.descriptors = descriptors;
  }

  /** How many bytes one of the files has. */
  size(at: number): number {
    return fstatSync(this.#fd(at)).size;
  }

  /** Whether more was written than a command may write. */
  get isFlooded(): boolean {
    return this.descriptors.some((_, at) => this.size(at) > MAX_OUTPUT_BYTES);
  }

  /** Reads a piece of a file. */
  read(at: number, limit: number, start = 0): Buffer {
    const length = Math.max(0, Math.min(limit, this.size(at) - start));
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(this.#fd(at), buffer, 0, length, start));
  }

  /** Cuts what was written too much. */
  trim(): void {
    for (const [at, fd] of this.descriptors.entries())
      if (this.size(at) > MAX_OUTPUT_BYTES) ftruncateSync(fd, MAX_OUTPUT_BYTES);
  }

  /** Lets the named file stay when the files are closed. */
  keep(): void {
    this.#isKept = true;
  }

  /** Closes the files and removes the named one unless it is kept. */
  close(): void {
    for (const fd of this.descriptors) closeSync(fd);
    if (!this.#isKept) removeFile(this.path);
  }

  #fd(at: number): number {
    const fd = this.descriptors[at];
    if (fd === undefined) throw new RangeError(`there is no output file ${at}`);
    return fd;
  }
}

function createFile(path: string, at: number): number {
  // Appending, since several processes write; exclusive, since the folder's name can be guessed.
  if (at === 0) return openSync(path, "ax+", 0o600);
  const nameless = `${path}.${at}`;
  const fd = openSync(nameless, "ax+", 0o600);
  unlinkSync(nameless);
  return fd;
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The command may have removed it.
  }
}
