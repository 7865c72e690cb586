import { closeSync, openSync, readSync, statSync } from "node:fs";
import { StoreError } from "../store-error.ts";

interface Known {
  readonly file: string;
  readonly device: number;
  readonly inode: number;
}

/** The bytes at the beginning of every database. */
const MAGIC = Buffer.from("SQLite format 3\0");

/** Detects when the files of an open store are deleted, replaced, truncated or overwritten: later writes would be lost. */
export class FileWatch {
  readonly #path: string;
  readonly #known: readonly Known[];
  #size: number;

  /** Takes the current files as the reference. */
  constructor(path: string) {
    this.#path = path;
    this.#size = 0;
    this.#known = [path, `${path}-wal`, `${path}.lock`].flatMap((file) => {
      const stats = statSync(file, { throwIfNoEntry: false });
      return stats ? [{ file, device: stats.dev, inode: stats.ino }] : [];
    });
  }

  /** Checks the files' identity and size, in a few microseconds. */
  look(): StoreError | undefined {
    for (const { file, device, inode } of this.#known) {
      const stats = statSync(file, { throwIfNoEntry: false });
      if (stats?.dev !== device || stats.ino !== inode)
        return new StoreError(
          "gone",
          `${file} was deleted or replaced while the daemon was using it: put it back, or stop the daemon, restore a backup and start it`,
        );
      if (file !== this.#path) continue;
      // A store never shrinks.
      if (stats.size < this.#size) return damaged(file, "truncated");
      this.#size = stats.size;
    }
    return undefined;
  }

  /** The same, plus a check of the content. */
  inspect(): StoreError | undefined {
    return this.look() ?? (isDatabase(this.#path) ? undefined : damaged(this.#path, "overwritten"));
  }
}

const damaged = (file: string, how: string) =>
  new StoreError(
    "corrupt",
    `${file} was ${how} while the daemon was using it: stop the daemon and restore a backup`,
  );

function isDatabase(path: string): boolean {
  const head = Buffer.alloc(MAGIC.length);
  const handle = openSync(path, "r");
  try {
    return readSync(handle, head, 0, head.length, 0) === head.length && head.equals(MAGIC);
  } finally {
    closeSync(handle);
  }
}
