/** What the model has seen of a file. */
export interface FileState {
  readonly mtimeMs: number;
  /** False if only a part was shown. */
  readonly whole: boolean;
}

/** Remembers which files the model has read, so that it never edits one blindly or one that has changed since. */
export class FileStates {
  readonly #states = new Map<string, FileState>();

  get(path: string): FileState | undefined {
    return this.#states.get(path);
  }

  set(path: string, state: FileState): void {
    this.#states.set(path, state);
  }

  clear(): void {
    this.#states.clear();
  }
}
