/**
 * Processes the host's input in the order in which it was sent: a request about prompts must see all prompts sent before it and
 * none sent after it.
 */
export class HostInput {
  #held: (() => void)[] = [];
  #holds = 0;
  /** Adds input that has arrived but has not been processed yet. Set by the reader. */
  catchUp: () => void = () => {};

  /** Runs work in order: now, or as soon as nothing is held back any more. */
  add(work: () => void): void {
    if (this.#holds === 0) work();
    else this.#held.push(work);
  }

  /** The same for a request with an answer, after everything that arrived before it. */
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
      // Released work may hold back the rest again.
      for (let done = 0; ; done++) {
        const work = this.#holds === 0 ? this.#held[done] : undefined;
        if (!work) return void this.#held.splice(0, done);
        work();
      }
    });
  }
}
