/** A client that has said nothing for so long has gone; a console that nobody looks at asks every five seconds. */
const GONE_MS = 15_000;
/** More names than this are not told apart: each costs memory, and anybody may make some up. */
const MOST = 10_000;

/** Who is there: clients that asked for something a moment ago, whether or not they watch a session. */
export class Presence {
  readonly #heardMs = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A client has asked for something. */
  heard(client: string): void {
    // The one that was heard of longest ago stays first.
    this.#heardMs.delete(client);
    this.#heardMs.set(client, this.#now());
    if (this.#heardMs.size > MOST) this.#forget();
    const [oldest] = this.#heardMs.keys();
    if (this.#heardMs.size > MOST && oldest !== undefined) this.#heardMs.delete(oldest);
  }

  /** Those that are there, with those that are known to watch. */
  with(watching: Iterable<string>): ReadonlySet<string> {
    this.#forget();
    return new Set([...this.#heardMs.keys(), ...watching]);
  }

  #forget(): void {
    for (const [client, ms] of this.#heardMs) {
      if (ms > this.#now() - GONE_MS) return;
      this.#heardMs.delete(client);
    }
  }
}
