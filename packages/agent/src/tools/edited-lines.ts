import type { Hunk } from "./patch.ts";

/** How many lines the tools of a session have added to files and removed from them. */
export class EditedLines {
  #added = 0;
  #removed = 0;

  get added(): number {
    return this.#added;
  }

  get removed(): number {
    return this.#removed;
  }

  /** Notes a change by its patch. */
  note(patch: readonly Hunk[]): void {
    for (const { lines } of patch) {
      this.#added += lines.filter((line) => line.startsWith("+")).length;
      this.#removed += lines.filter((line) => line.startsWith("-")).length;
    }
  }

  /** Notes a file that was not there before. */
  noteCreated(text: string): void {
    this.#added += lineCount(text);
  }

  /** Starts counting from zero. */
  clear(): void {
    this.#added = 0;
    this.#removed = 0;
  }
}

/** A last line counts whether or not it is ended. */
function lineCount(text: string): number {
  return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
