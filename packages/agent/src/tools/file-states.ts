/** What the model has seen of a file. */
export interface FileState {
  readonly mtimeMs: number;
  /** False if only a part was shown. */
  readonly whole: boolean;
}

/** Remembers which files the model has read, so that it does not overwrite one that has changed since. */
export class FileStates {
  readonly #states = new Map<string, FileState>();

  /** What the model knows of a file that was last changed at this time. */
  seen(path: string, mtimeMs: number): "current" | "stale" | "partly" | "never" {
    const state = this.#states.get(path);
    if (!state) return "never";
    if (state.mtimeMs !== mtimeMs) return "stale";
    return state.whole ? "current" : "partly";
  }

  set(path: string, state: FileState): void {
    this.#states.set(path, state);
  }

  clear(): void {
    this.#states.clear();
  }
}
