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

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      while (this.length > 0) yield this.take() as T;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}
