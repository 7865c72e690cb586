import type { JsonObject } from "@agentwire/protocol";

const BATCH_MS = 100;

/** Receives copies of stored lines, for a host that keeps sessions elsewhere. */
export type Mirror = (filePath: string, entries: readonly JsonObject[]) => void;

/** Sends stored lines to a mirror in order, in batches every 100 ms. */
export class MirrorBatch {
  readonly #path: string;
  readonly #mirror: Mirror;
  #entries: JsonObject[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, mirror: Mirror) {
    this.#path = path;
    this.#mirror = mirror;
  }

  add(entries: readonly JsonObject[]): void {
    for (const entry of entries) this.#entries.push(entry);
    this.#timer ??= setTimeout(() => this.send(), BATCH_MS).unref();
  }

  /** Sends the current batch at once. */
  send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = this.#entries;
    this.#entries = [];
    if (entries.length > 0) this.#mirror(this.#path, entries);
  }
}
