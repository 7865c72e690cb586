import { after } from "../deadline.ts";
import type { LineWriter } from "../lines/writer.ts";

/** How many characters of messages may wait for a slow consumer, or of answers for a slow peer, before the peer is made to wait too. */
const HIGH_WATER = 16_777_216;
/** How many open requests of the peer are many: from here on their handlers are given time. */
const MANY_OPEN = 256;
/** How long they are given at a time: the peer may want to withdraw something, or to interrupt. */
const BREATH_MS = 100;

/** What is open on a connection. */
export interface Load {
  readonly isOver: boolean;
  /** How much of what the peer has said waits for its consumer. */
  readonly untaken: number;
  /** How many of our requests the peer has not answered. */
  readonly asked: number;
  /** How many of the peer's requests are being answered. */
  readonly answering: number;
}

/** Decides whether the peer is read on: not while it has said more than is taken, or reads less than it is answered. */
export class Pace {
  readonly #writer: LineWriter;
  readonly #load: () => Load;
  #resume: (() => void) | undefined;
  /** How much of our answers the peer has not read, at most. */
  #unreadAnswers = 0;
  /** How many messages have been taken by a consumer that wants no more for now. */
  #held = 0;

  constructor(writer: LineWriter, load: () => Load) {
    this.#writer = writer;
    this.#load = load;
  }

  /** Whether the peer is made to wait. */
  get isHolding(): boolean {
    return this.#resume !== undefined;
  }

  /** There may be no reason to wait any more. */
  changed(): void {
    this.#resume?.();
  }

  /** An answer has been written, to which the writer had so much before it. */
  answered(backlog: number): void {
    this.#unreadAnswers += Math.max(0, this.#writer.backlog - backlog);
    this.changed();
  }

  /** The consumer wants no more messages until a promise settles. */
  holdFor(room: Promise<void>): void {
    this.#held++;
    const go = () => {
      this.#held--;
      this.changed();
    };
    room.then(go, go);
  }

  /** A promise while the peer has to wait. */
  wait(): Promise<void> | undefined {
    return this.#mustWait() || this.#load().answering >= MANY_OPEN ? this.#hold() : undefined;
  }

  async #hold(): Promise<void> {
    while (this.#mustWait()) {
      void this.#writer.room?.then(() => this.changed());
      await this.#woken();
    }
    if (this.#load().answering >= MANY_OPEN) await this.#breathe();
  }

  #mustWait(): boolean {
    const { isOver, untaken, asked } = this.#load();
    if (isOver) return false;
    if (!this.#writer.room) this.#unreadAnswers = 0;
    // Only answers count: two peers that each send something large on their own must both continue reading.
    if (this.#unreadAnswers >= HIGH_WATER) return true;
    // The answer to a request of ours may be behind messages that are not taken: with one open, the reader continues.
    return (this.#held > 0 || untaken >= HIGH_WATER) && asked === 0;
  }

  /** Lets the handlers catch up with a peer that asks faster than they answer. */
  async #breathe(): Promise<void> {
    let isOver = false;
    const stop = after(BREATH_MS, () => {
      isOver = true;
      this.changed();
    });
    while (!isOver && !this.#load().isOver && this.#load().answering >= MANY_OPEN) await this.#woken();
    stop();
  }

  async #woken(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
    this.#resume = undefined;
  }
}
