/**
 * What the host sends, in the order in which it was sent: a request about prompts must neither overtake those that were sent
 * before it nor reach those that were sent after it.
 */
export class HostInput {
  #held: (() => void)[] = [];
  #holds = 0;
  /** Adds what has arrived and was not processed yet. Set by the reader. */
  catchUp: () => void = () => {};

  /** Lets something happen in its turn: now, or when nothing is held back any more. */
  add(work: () => void): void {
    if (this.#holds === 0) work();
    else this.#held.push(work);
  }

  /** The same for a request that has an answer, after everything that came before it. */
  inOrder<T>(work: () => T): T | Promise<T> {
    this.catchUp();
    if (this.#holds === 0) return work();
    return new Promise((resolve) => this.#held.push(() => resolve(work())));
  }

  /** Holds everything back until a promise settles. */
  hold(until: Promise<void>): void {
    this.#holds++;
    void until.then(() => {
      this.#holds--;
      // What is let go may hold back the rest again.
      for (let done = 0; ; done++) {
        const work = this.#holds === 0 ? this.#held[done] : undefined;
        if (!work) return void this.#held.splice(0, done);
        work();
      }
    });
  }
}
