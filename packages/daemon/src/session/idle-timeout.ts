import type { Slot } from "./slots.ts";

/** Keeps the idle process of a session: for a while, and only until another session needs its slot. */
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

  /** The process waits for a person's answer. */
  asks(): void {
    this.#slot?.lend();
  }

  /** The process has its answer. */
  answered(): void {
    this.#slot?.reclaim();
  }

  /** The process has written something: it is kept for longer. */
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
