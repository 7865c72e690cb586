/** A client that has been silent for this long is considered gone; a console in the background polls every five seconds. */
const GONE_MS = 15_000;
/** Bounds memory, since clients can make up any number of names. */
const MAX_CLIENTS = 10_000;

/** Tracks which clients are present: those that sent a request recently, whether or not they watch a session. */
export class Presence {
  readonly #heardMs = new Map<string, number>();
  readonly #now: () => number;
  readonly #goneMs: number;

  constructor(now: () => number, goneMs = GONE_MS) {
    this.#now = now;
    this.#goneMs = goneMs;
  }

  /** Records a request of a client. */
  heard(client: string): void {
    // Reinserting keeps the client that has been silent longest first.
    this.#heardMs.delete(client);
    this.#heardMs.set(client, this.#now());
    if (this.#heardMs.size > MAX_CLIENTS) this.#forget();
    const [oldest] = this.#heardMs.keys();
    if (this.#heardMs.size > MAX_CLIENTS && oldest !== undefined) this.#heardMs.delete(oldest);
  }

  /** Records that a client has left. */
  left(client: string): void {
    this.#heardMs.delete(client);
  }

  /** All present clients, including the given ones, which are known to be watching. */
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
