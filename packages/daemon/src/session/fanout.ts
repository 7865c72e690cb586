import { type Boundary, boundary } from "../boundary.ts";
import type { StoredEvent } from "../store/checked-event.ts";
import type { EventLog } from "../store/store.ts";
import { Subscriber, type SubscriberLimits } from "./subscriber.ts";

/** What is read from the log at once for a client that is behind. */
const PAGE = 2000;
const PAGE_BYTES = 1024 * 1024;

/** What clients that are behind are served from. */
type PagedLog = Pick<EventLog, "page" | "bounds">;

/** Passes the events of one session on to everyone who watches it. */
export class Fanout {
  readonly #sessionId: string;
  readonly #log: PagedLog;
  readonly #limits: () => SubscriberLimits;
  readonly #subscribers = new Set<Subscriber>();
  /** What the timers of its clients run in. */
  guard: Boundary = boundary(() => {});
  /** Called when the first client connects and when the last one leaves. */
  onAttendance: (isAttended: boolean) => void = () => {};
  /** Called when the last stream of a client has ended. */
  onLeft: (client: string) => void = () => {};
  /** Called when a client did not keep up, and when the stream of one was ended for that. */
  onSlow: () => void = () => {};
  onEvicted: (client: string) => void = () => {};
  #closedFor: string | undefined;
  #lastSeq: number;
  /** Whether something was published in this turn of the event loop. */
  #isPublishing = false;

  /** `lastSeq` is the number of the last event that is stored. */
  constructor(sessionId: string, log: PagedLog, limits: () => SubscriberLimits, lastSeq: number) {
    this.#sessionId = sessionId;
    this.#log = log;
    this.#limits = limits;
    this.#lastSeq = lastSeq;
  }

  /** The number of the last event that was published. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  get subscribers(): ReadonlySet<Subscriber> {
    return this.#subscribers;
  }

  /** Sends events that are stored, in the order of their numbers. */
  publish(events: readonly StoredEvent[]): void {
    const last = events.at(-1);
    if (!last) return;
    this.#lastSeq = last.seq;
    if (!this.#isPublishing) this.#beginTurn();
    for (const subscriber of this.#subscribers) subscriber.offer(events);
  }

  /**
   * A commit of the store brings everything at once that has come since the one before, and no client can take a part of it before the next
   * turn of the event loop: only what is left of earlier turns tells who does not keep up.
   */
  #beginTurn(): void {
    this.#isPublishing = true;
    setImmediate(() => {
      this.#isPublishing = false;
    });
    for (const subscriber of this.#subscribers) subscriber.judge();
  }

  /** Starts watching after a number that the client has. */
  subscribe(client: string, afterSeq: number): Subscriber {
    const subscriber = new Subscriber({
      client,
      afterSeq,
      head: () => this.#lastSeq,
      page: (seq) => this.#log.page(this.#sessionId, seq, PAGE, PAGE_BYTES),
      firstSeq: async () => (await this.#log.bounds(this.#sessionId)).first,
      limits: this.#limits,
      guard: this.guard,
      onSlow: () => this.onSlow(),
      onStalled: () => this.onEvicted(client),
      onClose: () => {
        this.#subscribers.delete(subscriber);
        if (this.#subscribers.size === 0) this.onAttendance(false);
        if (![...this.#subscribers].some((other) => other.client === client)) this.onLeft(client);
      },
    });
    this.#subscribers.add(subscriber);
    if (this.#subscribers.size === 1) this.onAttendance(true);
    if (this.#closedFor !== undefined) subscriber.evict(this.#closedFor);
    return subscriber;
  }

  /** Ends every stream, with a reason for those who watch. */
  close(reason: string): void {
    this.#closedFor = reason;
    for (const subscriber of [...this.#subscribers]) subscriber.evict(reason);
  }
}
