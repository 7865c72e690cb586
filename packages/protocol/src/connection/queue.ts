/** A buffer between the reader, which never waits, and a single consumer, which may be slow. */
export class Queue<T> implements AsyncIterable<T> {
  #items: T[] = [];
  /** The weights of the items, in a parallel array: an object per item would cost more than it holds. */
  #weights: number[] = [];
  #head = 0;
  #weight = 0;
  #ended = false;
  #waiting: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  /** Called after each item is taken. */
  onTaken: (() => void) | undefined;

  get length(): number {
    return this.#items.length - this.#head;
  }

  /** The total weight of the waiting items, in the producer's unit. */
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

  /** Marks the end of the queue; buffered items are still delivered. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Takes the next item if there is one: a consumer in a hurry can empty the queue without a promise per item. */
  take(): T | undefined {
    const head = this.#head;
    if (head === this.#items.length) return undefined;
    const item = this.#items[head];
    this.#weight -= this.#weights[head] ?? 0;
    this.#head++;
    if (this.#head === this.#items.length) this.#keepFrom(this.#head);
    // Amortized: a consumer that is always slightly behind must not retain what it has consumed.
    else if (this.#head > 1024 && this.#head * 2 > this.#items.length) this.#keepFrom(this.#head);
    this.onTaken?.();
    return item;
  }

  #keepFrom(head: number): void {
    this.#items = this.#items.slice(head);
    this.#weights = this.#weights.slice(head);
    this.#head = 0;
  }

  /** Resolves to true when there is something to take, to false when there never will be. */
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

  /** Iterates without a generator, which would cost several turns of the job queue per item. */
  [Symbol.asyncIterator](): AsyncIterator<T, undefined, undefined> {
    const done = { done: true, value: undefined } as const;
    const taken = () => ({ done: false as const, value: this.take() as T });
    // A caller of `take` may have been faster than the one that was woken.
    const woken = (is: boolean) => (this.length > 0 ? taken() : is ? next() : done);
    const next = (): Promise<IteratorResult<T, undefined>> =>
      this.length > 0 ? Promise.resolve(taken()) : this.ready().then(woken);
    return { next, return: async () => done };
  }
}
