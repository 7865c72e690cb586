import { constants, type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import type { JsonObject } from "@agentwire/protocol";

const NEWLINE = 10;
/** The maximum amount of text to buffer while writes fail, for example on a full disk. */
const MAX_WAITING_CHARS = 4 * 1024 * 1024;

/** Callbacks of an `AppendFile`. */
export interface AppendEvents {
  /** Called once with the code of the first write that failed. */
  onLost(code: string): void;
  /** Called with the entries of each write once they are on disk. */
  onWritten?(entries: readonly JsonObject[]): void;
}

interface Waiting {
  readonly entry: JsonObject;
  readonly line: string;
}

/**
 * An append-only file of JSON lines. Lines added in one tick are written together; a failed write is retried with the next line,
 * so that the file never has a gap.
 */
export class AppendFile {
  readonly #path: string;
  readonly #events: AppendEvents;
  #waiting: Waiting[] = [];
  #waitingChars = 0;
  #work: Promise<void> | undefined;
  /** Whether the folder exists and the file is known to end with a newline. */
  #ready = false;
  #reportedLoss = false;
  #gaveUp = false;

  constructor(path: string, events: AppendEvents) {
    this.#path = path;
    this.#events = events;
  }

  append(entry: JsonObject): void {
    if (this.#gaveUp) return;
    const line = `${JSON.stringify(entry)}\n`;
    this.#waiting.push({ entry, line });
    this.#waitingChars += line.length;
    this.#work ??= this.#drain();
  }

  /** Resolves when every line so far has been written or has failed to be. */
  async flush(): Promise<void> {
    if (this.#work === undefined && this.#waiting.length > 0) this.#work = this.#drain();
    await this.#work;
  }

  async #drain(): Promise<void> {
    await nextTick();
    try {
      while (this.#waiting.length > 0) await this.#writeWaiting();
    } catch (error) {
      this.#failed(error);
    }
    this.#work = undefined;
  }

  async #writeWaiting(): Promise<void> {
    const batch = this.#waiting.slice();
    const text = batch.map(({ line }) => line).join("");
    if (!this.#ready) await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const file = await open(this.#path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600);
    try {
      const repaired = this.#ready || !(await endsTorn(file)) ? text : `\n${text}`;
      await writeWhole(file, Buffer.from(repaired));
    } finally {
      await file.close();
    }
    this.#ready = true;
    this.#waiting.splice(0, batch.length);
    this.#waitingChars -= text.length;
    this.#events.onWritten?.(batch.map(({ entry }) => entry));
  }

  #failed(error: unknown): void {
    this.#ready = false;
    if (!this.#reportedLoss) this.#events.onLost(codeOf(error));
    this.#reportedLoss = true;
    if (this.#waitingChars < MAX_WAITING_CHARS) return;
    // Lines after a gap would break the parent chain, and readers would lose everything before it.
    this.#gaveUp = true;
    this.#waiting = [];
  }
}

/** Whether a crash has left a partial line at the end. */
async function endsTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== NEWLINE;
}

/** Almost always a single write, so that another appending process can't interleave its lines. */
async function writeWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  let done = 0;
  while (done < bytes.length) done += (await file.write(bytes, done, bytes.length - done)).bytesWritten;
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? "EIO";
