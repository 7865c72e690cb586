import type { JsonObject } from "@agentwire/protocol";

const BATCH_MS = 100;

/** Where copies of stored lines go: a host that keeps sessions elsewhere. */
export type Mirror = (filePath: string, entries: readonly JsonObject[]) => void;

/** Hands stored lines to a mirror a tenth of a second at a time, in order. */
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

  /** Sends what has gathered without waiting for the time to pass. */
  send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = this.#entries;
    this.#entries = [];
    if (entries.length > 0) this.#mirror(this.#path, entries);
  }
}
