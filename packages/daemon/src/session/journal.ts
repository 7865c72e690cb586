import { randomUUID } from "node:crypto";
import type { Redact } from "@agentwire/protocol/support";
import type { Boundary } from "../boundary.ts";
import { DaemonError } from "../errors.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Draft } from "../store/draft.ts";
import { RawLines } from "../store/raw-lines.ts";
import type { Store } from "../store/store.ts";
import type { Write } from "../store/write.ts";
import { withoutSecrets } from "./events/error.ts";
import { Fanout } from "./fanout.ts";
import { Numbering } from "./numbering.ts";
import type { Subscriber, SubscriberLimits } from "./subscriber.ts";

/** The dependencies of a session's journal. */
export interface JournalOptions {
  readonly sessionId: string;
  /** The number of the last event that is stored. */
  readonly lastSeq: number;
  readonly store: Store;
  readonly limits: () => SubscriberLimits;
  /** Removes secrets from error texts. */
  readonly redact: Redact;
  readonly metrics: Metrics;
  readonly guard: Boundary;
  /** Called once, when a write has failed for good: nothing is stored after that. */
  readonly onLost: (error: unknown) => void;
  /** Called when lasting events of the session were stored; deltas do not count, since they are deleted when their reply is finished. */
  readonly onStored: (sessionId: string) => void;
  /** Takes a snapshot with each batch; the returned function is called when clients have been sent the batch. */
  readonly mark: () => () => void;
  /** Called when the first client connects and when the last one leaves. */
  readonly onAttendance: (isAttended: boolean) => void;
  /** Called when the last stream of a client has ended. */
  readonly onLeft: (client: string) => void;
  /** Called when a client's stream was ended because it read nothing. */
  readonly onEvicted: (client: string) => void;
}

/** How many bytes may wait for the disk before the agent is paused. */
const BACKLOG_BYTES = 4 * 1024 * 1024;
/** How many deltas may wait for the batch before them to be stored, so that they become one batch. */
const GATHERED_PIECES = 256;

/** The one writer of a session: gives events their numbers, stores them, and only then sends exactly what is stored. */
export class Journal {
  readonly #store: Store;
  readonly #numbering: Numbering;
  readonly #fanout: Fanout;
  readonly #redact: Redact;
  readonly #metrics: Metrics;
  readonly #guard: Boundary;
  readonly #onLost: (error: unknown) => void;
  readonly #onStored: () => void;
  readonly #mark: () => () => void;
  /** The chain of its writes: after one is rejected, the store rejects all later ones. */
  readonly #chain: string;
  /** Why nothing more can be stored. */
  #over: Error | undefined;
  /** How many batches are being stored. */
  #onTheWay = 0;
  #whenQuiet: (() => void)[] = [];
  #noted: Draft[] = [];
  /** Whether a flush is scheduled for the end of this turn of the event loop. */
  #isFlushing = false;
  #backlog = 0;
  #room: { readonly promise: Promise<void>; readonly open: () => void } | undefined;

  constructor(options: JournalOptions) {
    const { sessionId, lastSeq, store, limits, redact, metrics, onLost, mark } = options;
    this.#store = store;
    this.#redact = redact;
    this.#chain = `${sessionId} ${randomUUID()}`;
    // A new session has no lines yet.
    const kept = async () => (lastSeq === 0 ? [] : store.lines.sizes(sessionId));
    const rawLines = new RawLines(sessionId, kept);
    this.#numbering = new Numbering(sessionId, lastSeq, rawLines);
    this.#metrics = metrics;
    this.#guard = options.guard;
    this.#fanout = new Fanout(sessionId, store.events, limits, lastSeq);
    this.#fanout.guard = options.guard;
    this.#fanout.onSlow = () => metrics.slow.add(1);
    this.#fanout.onEvicted = options.onEvicted;
    this.#fanout.onAttendance = options.onAttendance;
    this.#fanout.onLeft = options.onLeft;
    this.#onLost = onLost;
    this.#onStored = () => options.onStored(sessionId);
    this.#mark = mark;
  }

  /** The number that the next event gets. */
  get nextSeq(): number {
    this.#flush();
    return this.#numbering.lastSeq + 1;
  }

  /** The number of the last event that clients have been sent. */
  get lastSeq(): number {
    return this.#fanout.lastSeq;
  }

  get subscribers(): ReadonlySet<Subscriber> {
    return this.#fanout.subscribers;
  }

  /** A promise while too much is waiting to be stored. */
  get room(): Promise<void> | undefined {
    return this.#room?.promise;
  }

  /** Whether everything is stored. */
  get isQuiet(): boolean {
    return this.#onTheWay === 0 && this.#noted.length === 0;
  }

  /** Resolves when everything is stored, or can't be. */
  async quiet(): Promise<void> {
    this.#flush();
    if (this.isQuiet) return;
    await new Promise<void>((resolve) => {
      this.#whenQuiet.push(resolve);
    });
  }

  /** Stores events, and other writes with them, in one transaction; resolves when they are on disk and sent. */
  async say(drafts: readonly Draft[], writes: readonly Write[] = []): Promise<void> {
    this.#flush();
    await this.#write(drafts, writes, this.#mark());
  }

  /** The same for an agent's output: what arrives together is stored together. */
  note(drafts: readonly Draft[]): void {
    if (drafts.length === 0 || this.#over) return;
    for (const draft of drafts) this.#noted.push(draft);
    this.#scheduleFlush();
  }

  subscribe(client: string, afterSeq: number): Subscriber {
    return this.#fanout.subscribe(client, afterSeq);
  }

  /** Ends every stream; nothing can be stored afterwards. */
  close(reason: string): void {
    this.#flush();
    this.#over ??= new DaemonError("SHUTTING_DOWN", reason);
    this.#fanout.close(reason);
  }

  #scheduleFlush(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    this.#store.atTurnEnd(
      this.#guard(() => {
        this.#isFlushing = false;
        if (!this.#canGather()) this.#flush();
      }),
    );
  }

  /** Whether deltas may wait: they would not be on disk any sooner, and many small batches cost more than a large one. */
  #canGather(): boolean {
    if (this.#onTheWay === 0 || this.#noted.length > GATHERED_PIECES) return false;
    return this.#noted.every(({ deltaOf }) => deltaOf !== undefined);
  }

  #flush(): void {
    if (this.#noted.length === 0) return;
    const drafts = this.#noted;
    this.#noted = [];
    // `onLost` reports it.
    this.#write(drafts, [], () => {}).catch(() => {});
  }

  async #write(drafts: readonly Draft[], writes: readonly Write[], sent: () => void): Promise<void> {
    if (this.#over) throw this.#over;
    const numbered = this.#numbering.number(
      drafts.map((draft) => withoutSecrets(draft, this.#redact)),
      Date.now(),
    );
    const bytes = numbered.events.reduce((sum, { body }) => sum + body.length, 0);
    this.#backlog += bytes;
    if (this.#backlog > BACKLOG_BYTES) this.#room ??= gate();
    this.#onTheWay++;
    try {
      await this.#store.keep([...numbered.writes, ...writes], this.#chain);
      this.#metrics.events.add(numbered.events.length);
      this.#metrics.eventBytes.add(bytes);
      this.#fanout.publish(numbered.events);
      if (drafts.some(({ deltaOf }) => deltaOf === undefined)) this.#onStored();
      sent();
    } catch (error) {
      this.#lost(error);
      throw error;
    } finally {
      this.#onTheWay--;
      this.#backlog -= bytes;
      if (this.#noted.length > 0) this.#scheduleFlush();
      this.#makeRoom();
    }
  }

  /** Numbers that were assigned but not stored would leave a gap: numbering continues from the store. */
  #lost(error: unknown): void {
    if (this.#over) return;
    this.#over = error instanceof Error ? error : new Error(String(error));
    this.#noted = [];
    this.#onLost(error);
  }

  #makeRoom(): void {
    if (this.#backlog <= BACKLOG_BYTES) {
      this.#room?.open();
      this.#room = undefined;
    }
    if (this.isQuiet) for (const wake of this.#whenQuiet.splice(0)) wake();
  }
}

function gate() {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}
