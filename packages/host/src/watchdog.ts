import { after } from "@agentwire/protocol";

/** How long the agent may be silent in the state things are in, and what it means if it is longer. */
export interface Patience<Meaning> {
  readonly ms: number;
  readonly meaning: Meaning;
}

/** Barks when an agent has been silent for too long. What "too long" is depends on the state, and is asked at each change. */
export class Watchdog<Meaning> {
  readonly #patience: () => Patience<Meaning> | undefined;
  readonly #onLate: (meaning: Meaning) => void;
  #current: Patience<Meaning> | undefined;
  #since = 0;
  #stopTimer: (() => void) | undefined;
  #stopped = false;

  constructor(patience: () => Patience<Meaning> | undefined, onLate: (meaning: Meaning) => void) {
    this.#patience = patience;
    this.#onLate = onLate;
  }

  /** The agent has said something. Called for every message: the timer finds out when it rings. */
  heard(): void {
    this.#since = performance.now();
  }

  /** The state has changed. */
  changed(): void {
    if (this.#stopped) return;
    const next = this.#patience();
    if (next?.meaning === this.#current?.meaning) return;
    this.#current = next;
    this.#since = performance.now();
    this.#wait();
  }

  /** What seemed silence was none: the same time again. */
  again(): void {
    this.heard();
    this.#wait();
  }

  stop(): void {
    this.#stopped = true;
    this.#stopTimer?.();
  }

  #wait(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    if (!this.#current || this.#current.ms === Number.POSITIVE_INFINITY) return;
    const left = this.#current.ms - (performance.now() - this.#since);
    this.#stopTimer = after(Math.max(left, 0), () => this.#ring());
  }

  #ring(): void {
    const { ms, meaning } = this.#current ?? {};
    if (ms === undefined || meaning === undefined) return;
    if (performance.now() - this.#since >= ms) this.#onLate(meaning);
    else this.#wait();
  }
}
