/** The right to run one agent process. */
export interface Place {
  /** The process has nothing to do. If somebody waits for a place, `giveWay` is called, and has to lead to the release. */
  idle(giveWay: () => void): void;
  /** The process has something to do again. */
  busy(): void;
  /** Gives the place back; a second call does nothing. */
  release(): void;
}

/** A limited number of agent processes: who waits longest is served first, and who has been idle longest gives way. */
export class Slots {
  #limit: number;
  readonly #waiting: (() => void)[] = [];
  /** What ends each idle process, the longest idle one first. */
  readonly #idle = new Map<Place, () => void>();
  /** Places that were asked for and are not free yet. */
  readonly #leaving = new Set<Place>();
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

  /** Changes how many there are; those that are taken stay so until they are given back. */
  resize(limit: number): void {
    this.#limit = limit;
    while (this.isFree && this.#waiting.length > 0) {
      this.#taken++;
      this.#waiting.shift()?.();
    }
  }

  /** Whether nobody would have to wait. */
  get isFree(): boolean {
    return this.#taken < this.#limit;
  }

  /** Takes a place, when there is one; rejects if the signal fires first. */
  async take(signal: AbortSignal): Promise<Place> {
    signal.throwIfAborted();
    if (this.isFree) this.#taken++;
    else await this.#turn(signal);
    return this.#place();
  }

  /** Takes a place if that makes nobody wait. */
  tryTake(): Place | undefined {
    if (!this.isFree) return undefined;
    this.#taken++;
    return this.#place();
  }

  #place(): Place {
    let isTaken = true;
    const place: Place = {
      idle: (giveWay) => {
        if (!isTaken || this.#leaving.has(place)) return;
        this.#idle.set(place, giveWay);
        this.#makeRoom();
      },
      busy: () => void this.#idle.delete(place),
      release: () => {
        if (!isTaken) return;
        isTaken = false;
        this.#idle.delete(place);
        this.#leaving.delete(place);
        this.#free();
      },
    };
    return place;
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
      this.#makeRoom();
    });
  }

  #makeRoom(): void {
    for (const [place, giveWay] of this.#idle) {
      if (this.#leaving.size >= this.#waiting.length) return;
      this.#idle.delete(place);
      this.#leaving.add(place);
      giveWay();
    }
  }

  /** A place goes from hand to hand while somebody waits. */
  #free(): void {
    const next = this.#taken <= this.#limit ? this.#waiting.shift() : undefined;
    if (next) next();
    else this.#taken--;
  }
}
