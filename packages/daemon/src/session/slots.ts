/** The right to run one agent process. */
export interface Slot {
  /** The process is idle. If a session waits for a slot, `giveWay` is called and has to lead to its release. */
  idle(giveWay: () => void): void;
  /** The process has something to do again. */
  busy(): void;
  /** The process is only waiting for people's answers: in the meantime another one may run in its slot. */
  lend(): void;
  /** The process continues immediately: if its slot is taken, there is one process too many until the next one ends. */
  reclaim(): void;
  /** Gives the slot back; a second call does nothing. */
  release(): void;
}

/** How many processes per slot may wait for people: they are idle, but use memory. */
const LENT_PER_SLOT = 10;

/** A limited number of agent processes: the longest waiting session is served first, and the longest idle process gives way. */
export class Slots {
  #limit: number;
  readonly #waiting: (() => void)[] = [];
  /** The functions that end idle processes, the longest idle one first. */
  readonly #idle = new Map<Slot, () => void>();
  /** Slots whose idle process is giving way. */
  readonly #leaving = new Set<Slot>();
  #taken = 0;
  /** How many processes run in addition to the counted ones, because they only wait for an answer. */
  #lent = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get taken(): number {
    return this.#taken;
  }

  /** The number of processes, including those that wait for an answer. */
  get processes(): number {
    return this.#taken + this.#lent;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get limit(): number {
    return this.#limit;
  }

  /** Changes the number of slots; those in use stay so until they are released. */
  resize(limit: number): void {
    this.#limit = limit;
    while (this.isFree && this.#waiting.length > 0) {
      this.#taken++;
      this.#waiting.shift()?.();
    }
  }

  /** Whether a slot is free. */
  get isFree(): boolean {
    return this.#taken < this.#limit;
  }

  /** Takes a slot once there is one; rejects if the signal fires first. */
  async take(signal: AbortSignal): Promise<Slot> {
    signal.throwIfAborted();
    if (this.isFree) this.#taken++;
    else await this.#turn(signal);
    return this.#slot();
  }

  /** Takes a slot if no session waits for one. */
  tryTake(): Slot | undefined {
    if (!this.isFree) return undefined;
    this.#taken++;
    return this.#slot();
  }

  #slot(): Slot {
    let isTaken = true;
    let isLent = false;
    const slot: Slot = {
      idle: (giveWay) => {
        if (!isTaken || this.#leaving.has(slot)) return;
        this.#idle.set(slot, giveWay);
        this.#makeRoom();
      },
      busy: () => void this.#idle.delete(slot),
      lend: () => {
        if (!isTaken || isLent || this.#lent >= LENT_PER_SLOT * this.#limit) return;
        isLent = true;
        this.#lent++;
        this.#free();
      },
      reclaim: () => {
        if (!isLent) return;
        isLent = false;
        this.#lent--;
        this.#taken++;
      },
      release: () => {
        if (!isTaken) return;
        slot.reclaim();
        isTaken = false;
        this.#idle.delete(slot);
        this.#leaving.delete(slot);
        this.#free();
      },
    };
    return slot;
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
    for (const [slot, giveWay] of this.#idle) {
      if (this.#leaving.size >= this.#waiting.length) return;
      this.#idle.delete(slot);
      this.#leaving.add(slot);
      giveWay();
    }
  }

  /** A slot is passed on while sessions wait. */
  #free(): void {
    const next = this.#taken <= this.#limit ? this.#waiting.shift() : undefined;
    if (next) next();
    else this.#taken--;
  }
}
