import type { Place } from "./slots.ts";

/** Keeps the process of a session while it has nothing to do: for a while, and only until somebody needs its place. */
export class Keeping {
  readonly #idleMs: () => number;
  #place: Place | undefined;
  #idling: NodeJS.Timeout | undefined;

  constructor(idleMs: () => number) {
    this.#idleMs = idleMs;
  }

  /** A process has been started in a place. */
  begin(place: Place): void {
    this.#place = place;
  }

  /** The process has something to do. */
  busy(): void {
    this.#stopTimer();
    this.#place?.busy();
  }

  /** The process has nothing to do; `leave` ends it. */
  idle(leave: () => void): void {
    this.busy();
    this.#idling = setTimeout(leave, this.#idleMs()).unref();
    this.#place?.idle(leave);
  }

  /** The process has said something, whether or not it was asked: it is kept for longer. */
  heard(): void {
    this.#idling?.refresh();
  }

  /** The process has ended: its place is free. */
  end(): void {
    this.#stopTimer();
    this.#place?.release();
    this.#place = undefined;
  }

  #stopTimer(): void {
    clearTimeout(this.#idling);
    this.#idling = undefined;
  }
}
