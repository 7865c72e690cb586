import { closeSync, fstatSync, ftruncateSync, openSync, readSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { endGroup, groupExists, type ProcessGroups } from "@agentwire/local/process";
import type { ImageBlock } from "@agentwire/protocol/messages";
import { makeOutputFolder } from "../../files/output-folder.ts";

/** How many bytes a command may write before it is stopped. */
export const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * The output files of a command. With files instead of pipes, a command never waits for the agent, and background processes that
 * it leaves running never make the agent wait. File operations are synchronous: each takes microseconds, much less than a trip
 * through the thread pool.
 */
export class OutputFiles {
  /** Their paths; only the first file may be kept. */
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

  /** The path of the first file. */
  get path(): string {
    return this.paths[0] ?? "";
  }

  /** The size of one of the files in bytes. */
  size(at: number): number {
    return fstatSync(this.#fd(at)).size;
  }

  /** Whether a command has written more than it may. */
  get isFlooded(): boolean {
    return this.descriptors.some((_, at) => this.size(at) > MAX_OUTPUT_BYTES);
  }

  /** Reads a part of a file. */
  read(at: number, limit: number, start = 0): Buffer {
    const length = Math.max(0, Math.min(limit, this.size(at) - start));
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(this.#fd(at), buffer, 0, length, start));
  }

  /** Truncates a file that exceeds the limit. */
  trim(): void {
    for (const [at, fd] of this.descriptors.entries())
      if (this.size(at) > MAX_OUTPUT_BYTES) ftruncateSync(fd, MAX_OUTPUT_BYTES);
  }

  /** Keeps the first file when the files are closed. */
  keep(): void {
    this.#isKept = true;
  }

  /** Removes all names except the first, once every process that needs the other files has opened them. */
  removeNames(): void {
    for (const path of this.paths.slice(1)) removeFile(path);
  }

  /** Closes the files and removes them, except the first if it is to be kept. */
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

/** How much of an output fits into the conversation. */
const MAX_CHARS = 30_000;
const MAX_BYTES_PER_CHAR = 4;

/** The start of an output. */
export interface Captured {
  readonly text: string;
  /** Whether there is more. */
  readonly isCut: boolean;
}

/** Reads as much of an output as fits into the conversation. */
export function capture(files: OutputFiles, at: number): Captured {
  const bytes = files.read(at, MAX_CHARS * MAX_BYTES_PER_CHAR);
  // Empty lines at both ends carry no information; the indentation of the first line does.
  const text = bytes.toString("utf8").replace(/^(?:[^\S\n]*\n)+/, "");
  const isCut = text.trimEnd().length > MAX_CHARS || bytes.length < files.size(at);
  return { text: isCut ? cutText(text, MAX_CHARS) : text.trimEnd(), isCut };
}

/** The start of a text, without half a character at its end. */
export function cutText(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  const isHalf = last >= 0xd800 && last < 0xdc00;
  return text.slice(0, isHalf ? length - 1 : length);
}

const WATCH_MS = 250;

/**
 * Releases the files of a command that has ended. Background processes that it left may still write to them although nobody reads
 * them any more, so these processes are watched and ended before they fill the disk.
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

// It appears twice in one line, and some hosts read no lines longer than 1 MiB.
const MAX_IMAGE_CHARS = 400_000;
const DATA_URL = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})\s*$/;
const PREFIX = "data:image/";

/** An output that is an image. */
export interface ImageOutput {
  readonly url: string;
  readonly block: ImageBlock;
}

/** Reads the output of a command that printed only an image as a data URL. */
export function readImage(files: OutputFiles): ImageOutput | undefined {
  const start = files.read(0, PREFIX.length);
  if (start.toString("latin1") !== PREFIX || files.size(0) > MAX_IMAGE_CHARS) return undefined;
  const url = files.read(0, MAX_IMAGE_CHARS).toString("latin1").trimEnd();
  const [, mediaType, data] = DATA_URL.exec(url) ?? [];
  if (mediaType === undefined || data === undefined) return undefined;
  return { url, block: { type: "image", source: { type: "base64", media_type: mediaType, data } } };
}
