const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
const MAX_CRASHES = 5;
const WINDOW_MS = 60_000;

/** Decides how soon an agent that died is started again, and when to give up on it. */
export class Restarts {
  #crashes: number[] = [];
  #inARow = 0;
  /** Starts in a row that did not come to taking prompts: one that hangs takes so long that no window holds five of them. */
  #failedStarts = 0;

  /** How many times it has died since a turn last came to its end. */
  get count(): number {
    return this.#inARow;
  }

  /** How long to wait before the next start; undefined when there were too many of them. */
  crashed(now: number, cameUp: boolean): number | undefined {
    this.#crashes = [...this.#crashes.filter((at) => at > now - WINDOW_MS), now];
    this.#failedStarts = cameUp ? 0 : this.#failedStarts + 1;
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** this.#inARow++, MAX_DELAY_MS);
    return Math.max(this.#crashes.length, this.#failedStarts) >= MAX_CRASHES ? undefined : delayMs;
  }

  /** A turn has come to its end: whatever was wrong is over. */
  succeeded(): void {
    this.#inARow = 0;
    this.#failedStarts = 0;
  }

  /** Somebody wants to try again. */
  forget(): void {
    this.#crashes = [];
    this.succeeded();
  }
}
