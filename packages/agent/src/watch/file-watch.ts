import { stat } from "node:fs";

/** What happened to a file. */
export type FileEvent = "change" | "add" | "unlink";

/** Options of a watch. */
export interface FileWatchOptions {
  /** The files to watch; called before every check. */
  readonly paths: () => readonly string[];
  readonly onChanged: (path: string, event: FileEvent) => void;
  /** Called after the first check; changes before it are not reported. */
  readonly onBegun?: () => void;
  /** The pause between two checks. */
  readonly restMs?: number;
}

const REST_MS = 1000;
/** How long a file has to stay unchanged before its change is reported: its writer may not be done. */
const SETTLE_MS = 250;

/** Identifies a version of a file by its metadata; empty where there is none. */
type Stamp = string;

interface Watched {
  /** The last reported stamp. */
  known: Stamp;
  /** The stamp of the last check. */
  seen: Stamp;
}

/**
 * Polls files and reports those that have changed. Polling works on every file system, unlike change notifications; the timer
 * does not keep the process alive.
 */
export class FileWatch {
  readonly #options: FileWatchOptions;
  #files: Map<string, Watched> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(options: FileWatchOptions) {
    this.#options = options;
  }

  /** Starts polling after a first pause; the first check only records the current state. */
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

/** How long a stamp is shared among the sessions of a process, most of which watch the same files. */
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

/** Uses the callback API: most files are missing, and an error passed to a callback costs half as much as a rejection. */
function readStamp(path: string): Promise<Stamp> {
  return new Promise((resolve) => {
    stat(path, (error, found) => resolve(error ? "" : `${found.mtimeMs} ${found.size} ${found.ino}`));
  });
}
