import type { EventLog } from "../store/event-log.ts";
import { RawLines, type RawLog } from "../store/raw-lines.ts";
import type { Write } from "../store/write.ts";
import type { Writer } from "../store/writer.ts";
import type { Draft } from "./events/draft.ts";
import { Fanout } from "./fanout.ts";
import { Numbering } from "./numbering.ts";
import type { Subscriber, SubscriberLimits } from "./subscriber.ts";

/** What the journal of a session is made of. */
export interface JournalOptions {
  readonly sessionId: string;
  readonly writer: Writer;
  readonly log: EventLog;
  readonly rawLog: RawLog;
  readonly limits: SubscriberLimits;
  /** Told when something could not be stored and never will be. */
  readonly onLost: (error: unknown) => void;
  /** Told when the first client comes and when the last one goes. */
  readonly onAttendance: (isAttended: boolean) => void;
}

/** How many bytes may be on their way to the disk before whoever talks has to wait. */
const BACKLOG_BYTES = 4 * 1024 * 1024;

/** The one writer of a session: gives events their numbers, stores them, and only then sends exactly what is stored. */
export class Journal {
  readonly #writer: Writer;
  readonly #numbering: Numbering;
  readonly #fanout: Fanout;
  readonly #onLost: (error: unknown) => void;
  #noted: Draft[] = [];
  #flushing: NodeJS.Immediate | undefined;
  #backlog = 0;
  #room: { readonly promise: Promise<void>; readonly open: () => void } | undefined;

  constructor({ sessionId, writer, log, rawLog, limits, onLost, onAttendance }: JournalOptions) {
    const { last } = log.bounds(sessionId);
    this.#writer = writer;
    this.#numbering = new Numbering(sessionId, last, new RawLines(sessionId, () => rawLog.sizes(sessionId)));
    this.#fanout = new Fanout(sessionId, log, limits, last);
    this.#fanout.onAttendance = onAttendance;
    this.#onLost = onLost;
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

  /** A promise while more is on its way to the disk than should be. */
  get room(): Promise<void> | undefined {
    return this.#room?.promise;
  }

  /** Stores events, and other writes with them, in one transaction; resolves when they are on disk and sent. */
  async say(drafts: readonly Draft[], writes: readonly Write[] = []): Promise<void> {
    this.#flush();
    await this.#store(drafts, writes);
  }

  /** The same for what an agent says: what comes together is stored together. */
  note(drafts: readonly Draft[]): void {
    if (drafts.length === 0) return;
    for (const draft of drafts) this.#noted.push(draft);
    this.#flushing ??= setImmediate(() => this.#flush());
  }

  subscribe(client: string, afterSeq: number): Subscriber {
    return this.#fanout.subscribe(client, afterSeq);
  }

  /** Ends every stream. */
  close(reason: string): void {
    this.#flush();
    this.#fanout.close(reason);
  }

  #flush(): void {
    clearImmediate(this.#flushing);
    this.#flushing = undefined;
    if (this.#noted.length === 0) return;
    const drafts = this.#noted;
    this.#noted = [];
    this.#store(drafts, []).catch(this.#onLost);
  }

  async #store(drafts: readonly Draft[], writes: readonly Write[]): Promise<void> {
    const numbered = this.#numbering.number(drafts, Date.now());
    const bytes = numbered.events.reduce((sum, { body }) => sum + body.length, 0);
    this.#backlog += bytes;
    if (this.#backlog > BACKLOG_BYTES) this.#room ??= gate();
    await this.#writer.keep([...numbered.writes, ...writes]);
    this.#backlog -= bytes;
    if (this.#backlog <= BACKLOG_BYTES) {
      this.#room?.open();
      this.#room = undefined;
    }
    this.#fanout.publish(numbered.events);
  }
}

function gate() {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}
