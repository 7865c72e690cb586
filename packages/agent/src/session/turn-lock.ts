/** The right to run a turn, shared by the sessions of a process: only its holder runs, in the order of asking. */
export class TurnLock {
  #holder: object | undefined;
  /** The waiting sessions, each with the callback for when the lock is free. */
  readonly #queue = new Map<object, () => void>();

  /** Takes the lock now, or queues `who` to be called when it is free. */
  take(who: object, call: () => void): boolean {
    if (this.#holder === undefined) {
      this.#holder = who;
      return true;
    }
    if (!this.#queue.has(who)) this.#queue.set(who, call);
    return false;
  }

  /** Releases the lock and calls the first in the queue. Does nothing if `who` does not hold it. */
  free(who: object): void {
    if (this.#holder !== who) return;
    this.#holder = undefined;
    for (const [next, call] of this.#queue) {
      this.#queue.delete(next);
      call();
      if (this.#holder !== undefined) return;
    }
  }

  /** Leaves the queue. */
  leave(who: object): void {
    this.#queue.delete(who);
  }
}
