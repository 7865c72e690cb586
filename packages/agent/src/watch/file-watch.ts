import { stat } from "node:fs";

/** What became of a file. */
export type FileEvent = "change" | "add" | "unlink";

/** What a watch is told. */
export interface FileWatchOptions {
  /** The files to look at, as they are now; asked before every look. */
  readonly paths: () => readonly string[];
  readonly onChanged: (path: string, event: FileEvent) => void;
  /** Called after the first look; changes before it are up to the caller. */
  readonly onBegun?: () => void;
  /** How long it rests between two looks. */
  readonly restMs?: number;
}

const REST_MS = 1000;
/** How long a file has to stay unchanged before its change is reported: its writer may not be done. */
const SETTLE_MS = 250;

/** Identifies a version of a file by its metadata; empty where there is none. */
type Stamp = string;

interface Watched {
  /** The stamp that has been told of. */
  known: Stamp;
  /** The stamp of the last look. */
  seen: Stamp;
}

/**
 * Looks at files again and again, and tells of those that have changed. It asks the file system for no help that not every file
 * system gives, and keeps no process alive.
 */
export class FileWatch {
  readonly #options: FileWatchOptions;
  #files: Map<string, Watched> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(options: FileWatchOptions) {
    this.#options = options;
  }

  /** Begins to look, a while from now; the first look only learns how things are. */
  begin(): void {
    if (!this.#isOver && this.#timer === undefined) this.#rest(this.#options.restMs ?? REST_MS);
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #rest(ms: number): void {
    this.#timer = setTimeout(() => void this.#look(), ms);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const paths = [...new Set(this.#options.paths())];
    const { restMs = REST_MS } = this.#options;
    const stamps = await Promise.all(paths.map((path) => stampOf(path, Math.min(SHARED_MS, restMs / 4))));
    if (this.#isOver) return;
    const before = this.#files;
    if (!before) this.#options.onBegun?.();
    const files = new Map<string, Watched>();
    this.#files = files;
    let isSettled = true;
    for (const [i, path] of paths.entries()) {
      const stamp = stamps[i] ?? "";
      const file = before?.get(path) ?? { known: stamp, seen: stamp };
      files.set(path, file);
      if (stamp !== file.seen) isSettled = false;
      else if (stamp !== file.known) {
        const event = file.known === "" ? "add" : stamp === "" ? "unlink" : "change";
        file.known = stamp;
        this.#options.onChanged(path, event);
      }
      file.seen = stamp;
    }
    this.#rest(isSettled ? restMs : SETTLE_MS);
  }
}

/** How long what one session has seen of a file is good for the others of its process, most of which look at the same files. */
const SHARED_MS = 150;
const MAX_SHARED = 4096;
const shared = new Map<string, { readonly at: number; readonly stamp: Promise<Stamp> }>();

function stampOf(path: string, maxAgeMs: number): Promise<Stamp> {
  const now = performance.now();
  const seen = shared.get(path);
  if (seen && now - seen.at < maxAgeMs) return seen.stamp;
  if (shared.size >= MAX_SHARED) shared.clear();
  const stamp = readStamp(path);
  shared.set(path, { at: now, stamp });
  return stamp;
}

/** Most of the files are missing: by a callback that costs half of what a rejection does. */
function readStamp(path: string): Promise<Stamp> {
  return new Promise((resolve) => {
    stat(path, (error, found) => resolve(error ? "" : `${found.mtimeMs} ${found.size} ${found.ino}`));
  });
}
