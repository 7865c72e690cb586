const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
const MAX_CRASHES = 5;
const WINDOW_MS = 60_000;

/** Decides how soon an agent that died is started again, and when to give up on it. */
export class Restarts {
  #crashes: number[] = [];
  #inARow = 0;

  /** How long to wait before the next start; undefined when there were too many of them. */
  crashed(now: number): number | undefined {
    this.#crashes = [...this.#crashes.filter((at) => at > now - WINDOW_MS), now];
    if (this.#crashes.length >= MAX_CRASHES) return undefined;
    return Math.min(FIRST_DELAY_MS * 2 ** this.#inARow++, MAX_DELAY_MS);
  }

  /** A turn has come to its end: whatever was wrong is over. */
  succeeded(): void {
    this.#inARow = 0;
  }

  /** Somebody wants to try again. */
  forget(): void {
    this.#crashes = [];
    this.#inARow = 0;
  }
}
