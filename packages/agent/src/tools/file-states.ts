import { createHash } from "node:crypto";

/** What the model has seen of a file. */
export interface FileState {
  readonly mtimeMs: number;
  /** False if only a part was shown. */
  readonly whole: boolean;
  /** The text that was shown: a file with a different time but the same text counts as unchanged. */
  readonly text?: string;
}

interface KeptState {
  readonly mtimeMs: number;
  readonly whole: boolean;
  readonly digest: string | undefined;
}

/** Remembers which files the model has read, so that it does not overwrite one that has changed since. */
export class FileStates {
  readonly #states = new Map<string, KeptState>();

  /** What the model knows about a file with this modification time; `text` is called only if the time is different. */
  seen(path: string, mtimeMs: number, text?: () => string): "current" | "stale" | "partly" | "never" {
    const state = this.#states.get(path);
    if (!state) return "never";
    const isSame =
      state.mtimeMs === mtimeMs || (state.digest !== undefined && state.digest === digestOf(text?.()));
    if (!isSame) return "stale";
    return state.whole ? "current" : "partly";
  }

  set(path: string, { mtimeMs, whole, text }: FileState): void {
    this.#states.set(path, { mtimeMs, whole, digest: whole ? digestOf(text) : undefined });
  }

  clear(): void {
    this.#states.clear();
  }
}

function digestOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : createHash("sha1").update(text).digest("base64");
}
