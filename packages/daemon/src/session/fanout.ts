import { type Boundary, boundary } from "../boundary.ts";
import type { StoredEvent } from "../store/checked-event.ts";
import type { EventLog } from "../store/store.ts";
import { Subscriber, type SubscriberLimits } from "./subscriber.ts";

/** How many events a client that has fallen behind is sent from the log at once. */
const PAGE = 2000;
const PAGE_BYTES = 1024 * 1024;

/** The log that serves clients that have fallen behind. */
type PagedLog = Pick<EventLog, "after" | "bounds">;

/** Sends the events of one session to every watcher. */
export class Fanout {
  readonly #sessionId: string;
  readonly #log: PagedLog;
  readonly #limits: () => SubscriberLimits;
  readonly #subscribers = new Set<Subscriber>();
  /** The boundary for its clients' timers. */
  guard: Boundary = boundary(() => {});
  /** Called when the first client connects and when the last one leaves. */
  onAttendance: (isAttended: boolean) => void = () => {};
  /** Called when the last stream of a client has ended. */
  onLeft: (client: string) => void = () => {};
  /** Called when a client has fallen behind, and when a stream was ended for that. */
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

  /** The number of the last published event. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  get subscribers(): ReadonlySet<Subscriber> {
    return this.#subscribers;
  }

  /** Sends stored events, in the order of their numbers. */
  publish(events: readonly StoredEvent[]): void {
    const last = events.at(-1);
    if (!last) return;
    this.#lastSeq = last.seq;
    if (!this.#isPublishing) this.#beginTurn();
    for (const subscriber of this.#subscribers) subscriber.offer(events);
  }

  /**
   * A commit of the store delivers everything since the last one at once, and no client can read any of it before the next turn of the
   * event loop: whether a client falls behind is judged only by what is left from earlier turns.
   */
  #beginTurn(): void {
    this.#isPublishing = true;
    setImmediate(() => {
      this.#isPublishing = false;
    });
    for (const subscriber of this.#subscribers) subscriber.judge();
  }

  /** Starts watching after the last number that the client has. */
  subscribe(client: string, afterSeq: number): Subscriber {
    const subscriber = new Subscriber({
      client,
      afterSeq,
      head: () => this.#lastSeq,
      page: (seq) => this.#log.after(this.#sessionId, seq, PAGE, PAGE_BYTES),
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

  /** Ends every stream, with a reason for the watchers. */
  close(reason: string): void {
    this.#closedFor = reason;
    for (const subscriber of [...this.#subscribers]) subscriber.evict(reason);
  }
}
