import { after } from "@agentwire/protocol/support";

/** How long the agent may be silent in the current state, and what a longer silence means. */
export interface SilenceLimit<Meaning> {
  readonly ms: number;
  readonly meaning: Meaning;
}

/** How many times the silence is checked within the limit: it is detected late by at most one such interval. */
const CHECKS_PER_LIMIT = 8;

/** Reports an agent that has been silent for too long. The limit depends on the state and is reread at each change. */
export class Watchdog<Meaning> {
  readonly #limit: () => SilenceLimit<Meaning> | undefined;
  readonly #onLate: (meaning: Meaning) => void;
  #current: SilenceLimit<Meaning> | undefined;
  #since = 0;
  #hasReceived = false;
  #stopTimer: (() => void) | undefined;
  #stopped = false;

  constructor(patience: () => SilenceLimit<Meaning> | undefined, onLate: (meaning: Meaning) => void) {
    this.#limit = patience;
    this.#onLate = onLate;
  }

  /** Records that the agent has sent something. Called for every message, so it must be cheap: only the timer reads the clock. */
  received(): void {
    this.#hasReceived = true;
  }

  /** Rereads the limit after a change of state. */
  changed(): void {
    if (this.#stopped) return;
    const next = this.#limit();
    if (next?.meaning === this.#current?.meaning && next?.ms === this.#current?.ms) return;
    this.#current = next;
    this.restart();
  }

  /** Starts the same limit over, for a silence that turned out to be none. */
  restart(): void {
    this.#hasReceived = false;
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
    const interval = this.#current.ms / CHECKS_PER_LIMIT;
    this.#stopTimer = after(Math.max(Math.min(left, interval), 1), () => this.#check());
  }

  #check(): void {
    if (!this.#current) return;
    if (this.#hasReceived) this.restart();
    else if (performance.now() - this.#since < this.#current.ms) this.#wait();
    else this.#onLate(this.#current.meaning);
  }
}
