import { after } from "../deadline.ts";
import type { LineWriter } from "../lines/writer.ts";

/** The backlog, in characters, of messages for a slow consumer or answers for a slow peer, at which reading pauses. */
const HIGH_WATER = 16_777_216;
/** The number of open requests of the peer from which on their handlers are given time. */
const MANY_OPEN = 256;
/** How long each such pause lasts; kept short because the peer may want to withdraw something or interrupt. */
const BREATH_MS = 100;

/** What is open on a connection. */
export interface Load {
  readonly isOver: boolean;
  /** The size of the peer's messages that their consumer has not taken. */
  readonly untaken: number;
  /** How many of our requests the peer has not answered. */
  readonly asked: number;
  /** How many of the peer's requests are being answered. */
  readonly answering: number;
}

/** Decides whether to keep reading: not while messages pile up untaken, or answers unread by the peer. */
export class Pace {
  readonly #writer: LineWriter;
  readonly #load: () => Load;
  #resume: (() => void) | undefined;
  /** The most that the peer can have left unread of our answers. */
  #unreadAnswers = 0;
  /** How many messages were taken by a consumer that wants no more for now. */
  #held = 0;

  constructor(writer: LineWriter, load: () => Load) {
    this.#writer = writer;
    this.#load = load;
  }

  /** Whether reading is paused. */
  get isHolding(): boolean {
    return this.#resume !== undefined;
  }

  /** Rechecks whether there is still a reason to pause. */
  changed(): void {
    this.#resume?.();
  }

  /** Notes that an answer was written behind a backlog of that size. */
  answered(backlog: number): void {
    this.#unreadAnswers += Math.max(0, this.#writer.backlog - backlog);
    this.changed();
  }

  /** The consumer wants no more messages until the promise settles. */
  holdFor(room: Promise<void>): void {
    this.#held++;
    const go = () => {
      this.#held--;
      this.changed();
    };
    room.then(go, go);
  }

  /** A promise that is pending while reading has to pause. */
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
    // Only answers count: two peers that each send something large unprompted must both keep reading.
    if (this.#unreadAnswers >= HIGH_WATER) return true;
    // The answer to one of our requests may be behind untaken messages: while one is open, keep reading.
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
