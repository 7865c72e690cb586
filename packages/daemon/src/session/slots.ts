/** Gives back what was taken; a second call does nothing. */
export type Release = () => void;

/** A limited number of agent processes; whoever waits longest is served first. */
export class Slots {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get limit(): number {
    return this.#limit;
  }

  /** Whether nobody would have to wait. */
  get isFree(): boolean {
    return this.#taken < this.#limit;
  }

  /** Takes a place, when there is one; rejects if the signal fires first. */
  async take(signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    if (!this.isFree) await this.#turn(signal);
    else this.#taken++;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#free();
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const served = () => {
        signal.removeEventListener("abort", gone);
        resolve();
      };
      const gone = () => {
        this.#waiting.splice(this.#waiting.indexOf(served), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", gone, { once: true });
      this.#waiting.push(served);
    });
  }

  /** A place goes from hand to hand while somebody waits. */
  #free(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken--;
  }
}
