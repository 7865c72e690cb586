import type { Boundary } from "../boundary.ts";
import type { StoredEvent } from "../store/checked-event.ts";

/** How far one client may fall behind. */
export interface SubscriberLimits {
  /** Bytes queued in memory, not counting what arrives at once; beyond this the client is served from the log. */
  readonly queueBytes: number;
  /** How long a client may leave what it was sent unread before its stream ends. */
  readonly stallMs: number;
}

/** The next items for a client. */
export interface Delivery {
  readonly events: readonly StoredEvent[];
  /** Events that are no longer stored. */
  readonly gap?: { readonly from: number; readonly to: number };
  readonly notice?: {
    readonly code: "slow" | "replaying" | "restored" | "evicted";
    readonly message: string;
  };
  /** Set once, with the last of the events that were stored when the client connected. */
  readonly caughtUp?: true;
}

interface SubscriberOptions {
  readonly client: string;
  readonly afterSeq: number;
  /** The number of the last published event. */
  readonly head: () => number;
  /** Some of the next events after a number; none if there are none. */
  readonly page: (afterSeq: number) => Promise<readonly StoredEvent[]>;
  /** The lowest stored number. */
  readonly firstSeq: () => Promise<number>;
  readonly limits: () => SubscriberLimits;
  readonly guard: Boundary;
  readonly onClose: () => void;
  /** It has fallen behind, and is served from the log. */
  readonly onSlow?: () => void;
  /** It has read nothing for too long, and its stream is ended. */
  readonly onStalled?: () => void;
}

/** Published events and their size. */
type Batches = { readonly events: readonly StoredEvent[]; readonly bytes: number }[];

/** How much is joined for a client at once: all of it stays in memory until the client has read the end of it. */
const JOINED_BYTES = 256 * 1024;

/**
 * One client's position in a session: it pulls events, from memory while it keeps up and otherwise from the log, and never
 * gets a number twice or out of order. A client that does not pull costs almost no memory.
 */
export class Subscriber {
  readonly client: string;
  readonly #options: SubscriberOptions;
  /** The last number that the client was given, or that it is not given any more. */
  #seq: number;
  /** The queue of the client; undefined while it is served from the log. */
  #queue: Batches | undefined;
  #queuedBytes = 0;
  /** Events published while the log is being read; undefined if it is not, or if there were too many to keep. */
  #aside: Batches | undefined;
  #asideBytes = 0;
  #warned = false;
  #caughtUp = false;
  #notices: NonNullable<Delivery["notice"]>[] = [];
  #gap: Delivery["gap"];
  #closed = false;
  /** When the client was given something that it has not read yet; undefined while it waits for more. */
  #handedOutAt: number | undefined;
  #stallWatch: NodeJS.Timeout | undefined;
  #wake = () => {};
  /** Called when the stream ends. */
  onEnd: () => void = () => {};

  constructor(options: SubscriberOptions) {
    this.client = options.client;
    this.#options = options;
    const head = options.head();
    this.#seq = Math.max(0, Math.min(options.afterSeq, head));
    // Everything a client was sent is stored, unless the store was replaced.
    if (options.afterSeq > head)
      this.#notices.push({
        code: "restored",
        message: `the last number here is ${head}, perhaps because a backup was restored: read the history again`,
      });
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Whether it is served from the log because it fell behind. */
  get isSlow(): boolean {
    return this.#caughtUp && this.#queue === undefined;
  }

  /** Takes published events; they are queued only for a client that keeps up. */
  offer(events: readonly StoredEvent[]): void {
    if (this.#closed) return;
    if (this.#queue) this.#enqueue(events);
    else if (this.#aside) this.#putAside(events);
    this.#wake();
  }

  /** Checks whether it keeps up, by its queue; called before more is queued. */
  judge(): void {
    const { queueBytes } = this.#options.limits();
    if (this.#queuedBytes > queueBytes) {
      this.#queue = undefined;
      this.#queuedBytes = 0;
      this.#options.onSlow?.();
      this.#notices = [
        { code: "replaying", message: "you fell behind; the events you missed come from the log" },
      ];
    } else if (!this.#warned && this.#queuedBytes > queueBytes / 2) {
      this.#warned = true;
      this.#notices.push({ code: "slow", message: "you are reading more slowly than the session writes" });
    }
  }

  /** Waits for the next events. Undefined when the stream has ended; the caller closes it when the client disconnects. */
  async pull(): Promise<Delivery | undefined> {
    this.#handedOutAt = undefined;
    for (;;) {
      const page = this.#closed || this.#queue ? [] : await this.#readPage();
      const delivery = this.#next(page);
      if (delivery) {
        this.#handedOut();
        return delivery;
      }
      if (this.#closed) return undefined;
      // More was published in the meantime than could be kept.
      if (!this.#queue) continue;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Ends the stream with a reason. */
  evict(reason: string): void {
    if (this.#closed) return;
    this.#notices.push({
      code: "evicted",
      message: `the stream ends: ${reason}; watch again after your last number`,
    });
    this.#queue = undefined;
    this.close();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#stallWatch);
    this.#options.onClose();
    this.#wake();
    this.onEnd();
  }

  /** One timer per client, however much it is sent: it fires when the client could have stalled at the earliest. */
  #handedOut(): void {
    this.#handedOutAt = performance.now();
    if (!this.#closed) this.#stallWatch ??= this.#watchStall(this.#options.limits().stallMs);
  }

  #watchStall(inMs: number): NodeJS.Timeout {
    return setTimeout(
      this.#options.guard(() => this.#judgeStall()),
      inMs,
    ).unref();
  }

  #judgeStall(): void {
    this.#stallWatch = undefined;
    if (this.#handedOutAt === undefined) return;
    const { stallMs } = this.#options.limits();
    const left = this.#handedOutAt + stallMs - performance.now();
    if (left > 0) {
      this.#stallWatch = this.#watchStall(left);
      return;
    }
    this.#options.onStalled?.();
    this.evict(`it has read nothing for ${Math.round(stallMs / 1000)} seconds`);
  }

  /** The notices to send, and the page that was read from the log or else the queue. */
  #next(page: readonly StoredEvent[]): Delivery | undefined {
    const notice = this.#notices.shift();
    const gap = this.#gap;
    this.#gap = undefined;
    const said = { ...(notice && { notice }), ...(gap && { gap }) };
    const caughtUp = !this.#closed && !this.#caughtUp && this.#queue !== undefined;
    if (caughtUp) this.#caughtUp = true;
    const isLive = this.#queue !== undefined && page.length === 0 && !caughtUp;
    const events = isLive ? this.#takeQueue() : page;
    if (events.length === 0 && !notice && !gap && !caughtUp) return undefined;
    return { events, ...said, ...(caughtUp && { caughtUp }) };
  }

  #takeQueue(): readonly StoredEvent[] {
    const queue = this.#queue ?? [];
    let bytes = 0;
    const end = queue.findIndex((batch, index) => {
      const isFull = index > 0 && bytes + batch.bytes > JOINED_BYTES;
      if (!isFull) bytes += batch.bytes;
      return isFull;
    });
    const taken = queue.splice(0, end < 0 ? queue.length : end);
    // A client that keeps up gets the same batch object as the others, so that it is encoded once.
    const events = taken.length === 1 ? (taken[0]?.events ?? []) : taken.flatMap((batch) => batch.events);
    this.#queuedBytes -= bytes;
    if (queue.length === 0) this.#warned = false;
    this.#seq = events.at(-1)?.seq ?? this.#seq;
    return events;
  }

  /** The next page from the log. With the last one the client is live: events published in the meantime are queued for it. */
  async #readPage(): Promise<readonly StoredEvent[]> {
    const head = this.#options.head();
    this.#aside = [];
    this.#asideBytes = 0;
    try {
      // The log may contain more than was published; those events are yet to be published.
      const stored = this.#seq < head ? await this.#options.page(this.#seq) : [];
      const events = stored.filter(({ seq }) => seq <= head);
      if (this.#seq < head && events[0]?.seq !== this.#seq + 1) await this.#skipCleared(events[0]?.seq);
      if (this.#closed) return [];
      // A finished reply in the log has cleared its deltas, of which the last ones may be yet to be published as well.
      const cleared = (stored[0]?.seq ?? 0) - 1;
      this.#seq = events.at(-1)?.seq ?? Math.max(this.#seq, head, cleared);
      if (this.#seq >= head) this.#goLive();
      return events;
    } finally {
      this.#aside = undefined;
    }
  }

  #goLive(): void {
    if (!this.#aside) return;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#warned = false;
    for (const { events } of this.#aside) this.#enqueue(events);
  }

  #enqueue(published: readonly StoredEvent[]): void {
    const [first] = published;
    // They are in the order of their numbers.
    const events =
      first && first.seq > this.#seq ? published : published.filter(({ seq }) => seq > this.#seq);
    if (events.length === 0) return;
    const bytes = bytesOf(events);
    this.#queue?.push({ events, bytes });
    this.#queuedBytes += bytes;
  }

  #putAside(events: readonly StoredEvent[]): void {
    const bytes = bytesOf(events);
    this.#aside?.push({ events, bytes });
    this.#asideBytes += bytes;
    // It is in the log, and will be read from there.
    if (this.#asideBytes > this.#options.limits().queueBytes) this.#aside = undefined;
  }

  /** Events that are no longer stored are announced as a gap; that may also happen while a client reads. */
  async #skipCleared(next = Number.POSITIVE_INFINITY): Promise<void> {
    const first = Math.min(await this.#options.firstSeq(), next);
    if (first > this.#seq + 1) this.#gap = { from: this.#seq + 1, to: first - 1 };
  }
}

const bytesOf = (events: readonly StoredEvent[]) => events.reduce((sum, { body }) => sum + body.length, 0);
