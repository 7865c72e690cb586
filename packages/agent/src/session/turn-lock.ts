/** The right to run a turn. Sessions that share a process share one: only who holds it runs, in the order in which they asked. */
export class TurnLock {
  #holder: object | undefined;
  /** Who waits for it, and how they are called when it is their turn. */
  readonly #line = new Map<object, () => void>();

  /** Takes it now, or puts `who` in line to be called when it is free. */
  take(who: object, call: () => void): boolean {
    if (this.#holder === undefined) {
      this.#holder = who;
      return true;
    }
    if (!this.#line.has(who)) this.#line.set(who, call);
    return false;
  }

  /** Gives it back, and calls who waits longest. Does nothing for who does not hold it. */
  free(who: object): void {
    if (this.#holder !== who) return;
    this.#holder = undefined;
    for (const [next, call] of this.#line) {
      this.#line.delete(next);
      call();
      if (this.#holder !== undefined) return;
    }
  }

  /** Leaves the line. */
  leave(who: object): void {
    this.#line.delete(who);
  }
}
