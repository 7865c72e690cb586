/** A place in a waiting line. */
export interface Place {
  /** Settles when everybody who came before has left. */
  readonly ready: Promise<void>;
  /** Lets the next one in; may be called early, and must be called. */
  readonly leave: () => void;
}

/** A line that keeps the order in which its places were taken. */
export class WaitingLine {
  #last: Promise<void> = Promise.resolve();

  enter(): Place {
    const ready = this.#last;
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#last = ready.then(() => left);
    return { ready, leave };
  }
}
