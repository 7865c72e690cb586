interface Failures {
  readonly count: number;
  /** Until when requests from this address are rejected unread. */
  readonly untilMs: number;
}

/** How many failures are allowed before a delay applies, since people mistype. */
const FREE = 5;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** After this time without a failure, an address starts from zero. */
const FORGET_MS = 15 * 60_000;
/** How many addresses are remembered; the one that failed longest ago is dropped first. */
const MAX_ADDRESSES = 10_000;

/** Counts failed logins by address: each one after the first few doubles the wait. */
export class FailedLogins {
  readonly #now: () => number;
  readonly #byAddress = new Map<string, Failures>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How long requests from this address are still rejected. */
  waitMs(address: string): number {
    return Math.max(0, (this.#byAddress.get(address)?.untilMs ?? 0) - this.#now());
  }

  /** Notes a failure. */
  failed(address: string): void {
    const known = this.#byAddress.get(address);
    const isFresh = known !== undefined && this.#now() - known.untilMs < FORGET_MS;
    const count = (isFresh ? known.count : 0) + 1;
    const waitMs =
      count <= FREE ? 0 : Math.min(FIRST_WAIT_MS * 2 ** Math.min(count - FREE - 1, 20), LONGEST_WAIT_MS);
    this.#byAddress.delete(address);
    this.#byAddress.set(address, { count, untilMs: this.#now() + waitMs });
    const [oldest] = this.#byAddress.keys();
    if (this.#byAddress.size > MAX_ADDRESSES && oldest !== undefined) this.#byAddress.delete(oldest);
  }

  /** A successful login resets the wait. */
  succeeded(address: string): void {
    this.#byAddress.delete(address);
  }
}
