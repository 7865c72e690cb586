/** A buffer between the reader, which never waits, and one consumer, which takes its time. */
export class Queue<T> implements AsyncIterable<T> {
  #items: T[] = [];
  /** What each item weighs, side by side: an object for each would cost more than it says. */
  #weights: number[] = [];
  #head = 0;
  #weight = 0;
  #ended = false;
  #waiting: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  /** Called after each item that was taken. */
  onTaken: (() => void) | undefined;

  get length(): number {
    return this.#items.length - this.#head;
  }

  /** How much all that waits weighs, in whatever unit the producer counts. */
  get weight(): number {
    return this.#weight;
  }

  /** Adds an item; after `end` it is dropped. */
  push(item: T, weight = 1): void {
    if (this.#ended) return;
    this.#items.push(item);
    this.#weights.push(weight);
    this.#weight += weight;
    this.#wake?.();
  }

  /** Says that nothing more comes; what is buffered is still delivered. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Takes the next item if one is there: a consumer in a hurry empties the queue without waiting for a promise each. */
  take(): T | undefined {
    const head = this.#head;
    if (head === this.#items.length) return undefined;
    const item = this.#items[head];
    this.#weight -= this.#weights[head] ?? 0;
    this.#head++;
    if (this.#head === this.#items.length) this.#keepFrom(this.#head);
    // Amortised: a consumer that is always a little behind must not keep what it has consumed.
    else if (this.#head > 1024 && this.#head * 2 > this.#items.length) this.#keepFrom(this.#head);
    this.onTaken?.();
    return item;
  }

  #keepFrom(head: number): void {
    this.#items = this.#items.slice(head);
    this.#weights = this.#weights.slice(head);
    this.#head = 0;
  }

  /** Resolves when there is something to take (true), or nothing will ever come (false). */
  async ready(): Promise<boolean> {
    while (this.length === 0 && !this.#ended) {
      this.#waiting ??= new Promise((resolve) => {
        this.#wake = () => {
          this.#waiting = undefined;
          this.#wake = undefined;
          resolve();
        };
      });
      await this.#waiting;
    }
    return this.length > 0;
  }

  /** Iterates without a generator, which would cost several turns of the job queue for each item. */
  [Symbol.asyncIterator](): AsyncIterator<T, undefined, undefined> {
    const done = { done: true, value: undefined } as const;
    const taken = () => ({ done: false as const, value: this.take() as T });
    // A caller of `take` may have been quicker than the one that was woken.
    const woken = (is: boolean) => (this.length > 0 ? taken() : is ? next() : done);
    const next = (): Promise<IteratorResult<T, undefined>> =>
      this.length > 0 ? Promise.resolve(taken()) : this.ready().then(woken);
    return { next, return: async () => done };
  }
}
