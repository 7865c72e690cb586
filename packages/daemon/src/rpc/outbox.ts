import { Queue } from "@agentwire/protocol/support";

/** How many items may be queued for a client that reads slowly. */
const MAX_WAITING = 16;

/** A queue of messages to a client, until the signal fires because the client has disconnected. */
export class Outbox<T> implements AsyncIterable<T> {
  readonly #items = new Queue<T>();
  readonly #gone: AbortSignal;
  #waiting: (() => void)[] = [];

  constructor(gone: AbortSignal) {
    this.#gone = gone;
    this.#items.onTaken = () => this.#wake();
    const leave = () => {
      this.end();
      this.#wake();
    };
    gone.addEventListener("abort", leave, { once: true });
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Resolves when there is room for more, or the client has left. */
  async room(): Promise<void> {
    while (this.#items.length >= MAX_WAITING && !this.#gone.aborted)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Ends the queue; queued items are still delivered. */
  end(): void {
    this.#items.end();
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    return this.#items[Symbol.asyncIterator]();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
