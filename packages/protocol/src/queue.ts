interface Weighed<T> {
  readonly item: T;
  readonly weight: number;
}

/** A buffer between the reader, which never waits, and one consumer, which takes its time. */
export class Queue<T> implements AsyncIterable<T> {
  #items: Weighed<T>[] = [];
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
    this.#items.push({ item, weight });
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
    const taken = this.#items[this.#head];
    if (!taken) return undefined;
    this.#head++;
    this.#weight -= taken.weight;
    if (this.#head === this.#items.length) {
      this.#items = [];
      this.#head = 0;
    } else if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      // Amortised: a consumer that is always a little behind must not keep what it has consumed.
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    this.onTaken?.();
    return taken.item;
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
    const next = async (): Promise<IteratorResult<T, undefined>> =>
      this.length > 0 || (await this.ready()) ? { done: false, value: this.take() as T } : done;
    return { next, return: async () => done };
  }
}
