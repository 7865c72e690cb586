import { closeSync, fstatSync, ftruncateSync, openSync, readSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { endGroup, groupExists, type ProcessGroups } from "@agentwire/local/process";
import type { ImageBlock } from "@agentwire/protocol/messages";
import { makeOutputFolder } from "../../files/output-folder.ts";

/** How much a command may write before it is stopped. */
export const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * Where a command writes. Files and not pipes: a command never waits for us, and what it leaves running never makes us wait.
 * They are handled synchronously, since each step takes microseconds here and a trip through the thread pool much more.
 */
export class OutputFiles {
  /** Where they are; the first is the one that may stay. */
  readonly paths: readonly string[];
  readonly descriptors: readonly number[];
  #isKept = false;

  /** Creates files in a folder. */
  constructor(folder: string, ...names: string[]) {
    makeOutputFolder(folder);
    this.paths = names.map((name) => join(folder, name));
    const descriptors: number[] = [];
    try {
      // Appending, since several processes write; exclusive, since the folder's name can be guessed.
      for (const path of this.paths) descriptors.push(openSync(path, "ax+", 0o600));
    } catch (error) {
      for (const fd of descriptors) closeSync(fd);
      throw error;
    }
    this.descriptors = descriptors;
  }

  /** Where the first is. */
  get path(): string {
    return this.paths[0] ?? "";
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

  /** Lets the first file stay when the files are closed. */
  keep(): void {
    this.#isKept = true;
  }

  /** Removes all names but the first: whoever was to open the others has done so. */
  removeNames(): void {
    for (const path of this.paths.slice(1)) removeFile(path);
  }

  /** Closes the files and removes them, but for the first if it is kept. */
  close(): void {
    for (const fd of this.descriptors) closeSync(fd);
    this.removeNames();
    if (!this.#isKept) removeFile(this.path);
  }

  #fd(at: number): number {
    const fd = this.descriptors[at];
    if (fd === undefined) throw new RangeError(`there is no output file ${at}`);
    return fd;
  }
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The command may have removed it.
  }
}

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

const WATCH_MS = 250;

/**
 * Lets go of the files of a command that has ended. What it left in the background still writes to them, where nobody reads
 * it any more, so that is watched and ended before it fills the disk.
 */
export function releaseFiles(files: OutputFiles, group: number, groups: ProcessGroups): void {
  groups.sweep();
  if (!groupExists(group)) {
    files.close();
    return;
  }
  files.removeNames();
  const watch = setInterval(() => {
    if (groupExists(group) && !files.isFlooded) return;
    clearInterval(watch);
    void endGroup(group).then(() => {
      files.close();
      groups.sweep();
    });
  }, WATCH_MS);
  watch.unref();
}

// It goes into one line twice, and some hosts read no line longer than 1 MiB.
const MAX_IMAGE_CHARS = 400_000;
const DATA_URL = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})\s*$/;
const PREFIX = "data:image/";

/** An output that is an image. */
export interface ImageOutput {
  readonly url: string;
  readonly block: ImageBlock;
}

/** Reads the output of a command that printed nothing but an image as a data URL. */
export function readImage(files: OutputFiles): ImageOutput | undefined {
  const start = files.read(0, PREFIX.length);
  if (start.toString("latin1") !== PREFIX || files.size(0) > MAX_IMAGE_CHARS) return undefined;
  const url = files.read(0, MAX_IMAGE_CHARS).toString("latin1").trimEnd();
  const [, mediaType, data] = DATA_URL.exec(url) ?? [];
  if (mediaType === undefined || data === undefined) return undefined;
  return { url, block: { type: "image", source: { type: "base64", media_type: mediaType, data } } };
}
