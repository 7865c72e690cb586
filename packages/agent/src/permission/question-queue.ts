/** A place in a waiting line. */
export interface QueueTicket {
  /** Settles when everybody who came before has left. */
  readonly ready: Promise<void>;
  /** Lets the next one in; may be called early, and must be called. */
  readonly leave: () => void;
}

/** A line that keeps the order in which its places were taken. */
export class QuestionQueue {
  #last: Promise<void> = Promise.resolve();

  enter(): QueueTicket {
    const ready = this.#last;
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#last = ready.then(() => left);
    return { ready, leave };
  }
}
