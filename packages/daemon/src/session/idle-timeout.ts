import type { Slot } from "./slots.ts";

/** Keeps the process of a session while it has nothing to do: for a while, and only until somebody needs its slot. */
export class IdleTimeout {
  readonly #idleMs: () => number;
  #slot: Slot | undefined;
  #idling: NodeJS.Timeout | undefined;

  constructor(idleMs: () => number) {
    this.#idleMs = idleMs;
  }

  /** A process has been started in a slot. */
  begin(slot: Slot): void {
    this.#slot = slot;
  }

  /** The process has something to do. */
  busy(): void {
    this.#stopTimer();
    this.#slot?.busy();
  }

  /** The process has nothing to do; `leave` ends it. */
  idle(leave: () => void): void {
    this.busy();
    this.#idling = setTimeout(leave, this.#idleMs()).unref();
    this.#slot?.idle(leave);
  }

  /** The process waits for an answer of people. */
  asks(): void {
    this.#slot?.lend();
  }

  /** The process has its answer. */
  answered(): void {
    this.#slot?.reclaim();
  }

  /** The process has said something, whether or not it was asked: it is kept for longer. */
  touch(): void {
    this.#idling?.refresh();
  }

  /** The process has ended: its slot is free. */
  end(): void {
    this.#stopTimer();
    this.#slot?.release();
    this.#slot = undefined;
  }

  #stopTimer(): void {
    clearTimeout(this.#idling);
    this.#idling = undefined;
  }
}
