import { after } from "@agentwire/protocol/support";

/** How long the agent may be silent in the state things are in, and what it means if it is longer. */
export interface SilenceLimit<Meaning> {
  readonly ms: number;
  readonly meaning: Meaning;
}

/** How often it looks within the time allowed: silence is noticed late by one part in so many. */
const LOOKS = 8;

/** Barks when an agent has been silent for too long. What "too long" is depends on the state, and is asked at each change. */
export class Watchdog<Meaning> {
  readonly #limit: () => SilenceLimit<Meaning> | undefined;
  readonly #onLate: (meaning: Meaning) => void;
  #current: SilenceLimit<Meaning> | undefined;
  #since = 0;
  #hasHeard = false;
  #stopTimer: (() => void) | undefined;
  #stopped = false;

  constructor(patience: () => SilenceLimit<Meaning> | undefined, onLate: (meaning: Meaning) => void) {
    this.#limit = patience;
    this.#onLate = onLate;
  }

  /** The agent has said something. Called for every message, so that even looking at a clock would show: the timer does. */
  heard(): void {
    this.#hasHeard = true;
  }

  /** The state has changed. */
  changed(): void {
    if (this.#stopped) return;
    const next = this.#limit();
    if (next?.meaning === this.#current?.meaning && next?.ms === this.#current?.ms) return;
    this.#current = next;
    this.again();
  }

  /** What seemed silence was none: the same time again. */
  again(): void {
    this.#hasHeard = false;
    this.#since = performance.now();
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
    const look = this.#current.ms / LOOKS;
    this.#stopTimer = after(Math.max(Math.min(left, look), 1), () => this.#look());
  }

  #look(): void {
    if (!this.#current) return;
    if (this.#hasHeard) this.again();
    else if (performance.now() - this.#since < this.#current.ms) this.#wait();
    else this.#onLate(this.#current.meaning);
  }
}
