/** A client that has been silent for this long has left; a console in the background asks every five seconds. */
const GONE_MS = 15_000;
/** Further names are not distinguished: each costs memory, and clients can make up any number. */
const MOST = 10_000;

/** Who is there: clients that asked for something a moment ago, whether or not they watch a session. */
export class Presence {
  readonly #heardMs = new Map<string, number>();
  readonly #now: () => number;
  readonly #goneMs: number;

  constructor(now: () => number, goneMs = GONE_MS) {
    this.#now = now;
    this.#goneMs = goneMs;
  }

  /** A client has asked for something. */
  heard(client: string): void {
    // The longest silent one stays first.
    this.#heardMs.delete(client);
    this.#heardMs.set(client, this.#now());
    if (this.#heardMs.size > MOST) this.#forget();
    const [oldest] = this.#heardMs.keys();
    if (this.#heardMs.size > MOST && oldest !== undefined) this.#heardMs.delete(oldest);
  }

  /** A client is known to have left. */
  left(client: string): void {
    this.#heardMs.delete(client);
  }

  /** Those that are there, with those that are known to watch. */
  with(watching: Iterable<string>): ReadonlySet<string> {
    this.#forget();
    return new Set([...this.#heardMs.keys(), ...watching]);
  }

  #forget(): void {
    for (const [client, ms] of this.#heardMs) {
      if (ms > this.#now() - this.#goneMs) return;
      this.#heardMs.delete(client);
    }
  }
}
