/** Allows a number per second on average, and bursts of twice as many. */
export class Rate {
  readonly #perSecond: number;
  readonly #now: () => number;
  #left: number;
  #since: number;

  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond;
    this.#now = now;
    this.#left = 2 * perSecond;
    this.#since = now();
  }

  /** Takes one; false if none is left. */
  take(): boolean {
    const now = this.#now();
    // If the clock was set back, nothing is taken away.
    const gained = (Math.max(0, now - this.#since) * this.#perSecond) / 1000;
    this.#left = Math.min(2 * this.#perSecond, this.#left + gained);
    this.#since = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
