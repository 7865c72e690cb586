import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { EventSchema } from "@agentwire/api";
import { within } from "@agentwire/protocol/support";
import { fromBinary } from "@bufbuild/protobuf";
import type { Boundary } from "../boundary.ts";
import { type IndexedText, wordsOf } from "../store/search-index.ts";
import type { Store } from "../store/store.ts";
import { StoreError } from "../store/store-error.ts";
import { searchableOf } from "./searchable.ts";

/** How long events wait to be indexed unless somebody searches: batches are cheaper, and leave the store to more urgent writes. */
const DELAY_MS = 10_000;
/** A pause between two sessions, which leaves the store to live events. */
const PAUSE_MS = 10;
/** When to look for events that an earlier daemon left unindexed; not at startup, which has more urgent work. */
const FIRST_MS = 3000;
/** How long to wait before trying an unwritable store again. */
const RETRY_MS = 30_000;
/** How long a search waits for the index. */
const PATIENCE_MS = 2000;
const PAGE = 200;
const PAGE_BYTES = 256 * 1024;
const SESSIONS = 100;

/** Indexes the words of stored events, reading the log in the background: no event waits for it. */
export class Indexer {
  readonly #store: Store;
  readonly #guard: Boundary;
  /** Sessions with unindexed events. */
  readonly #waiting = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** Whether there may be sessions that earlier daemons left unindexed. */
  #isBehind = true;
  /** Whether the last access to the store failed. */
  #hasFailed = false;
  /** How many searches wait for the index. */
  #awaitedBy = 0;
  #isStopped = false;

  constructor(store: Store, guard: Boundary) {
    this.#store = store;
    this.#guard = guard;
    this.#later(FIRST_MS);
  }

  /** Call this when an event was stored. */
  note(sessionId: string): void {
    if (this.#waiting.has(sessionId)) return;
    this.#waiting.add(sessionId);
    this.#later(DELAY_MS);
  }

  /** Resolves with true when everything stored is indexed, or with false after a while. */
  async settle(): Promise<boolean> {
    const over = performance.now() + PATIENCE_MS;
    const isUnsettled = () => this.#isBehind || this.#waiting.size > 0 || this.#running !== undefined;
    this.#awaitedBy++;
    await within(PATIENCE_MS, async () => {
      while (!this.#isStopped && isUnsettled() && performance.now() < over) {
        await (this.#running ?? this.#begin());
        if (this.#hasFailed) return;
      }
    }).finally(() => this.#awaitedBy--);
    return !isUnsettled();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #later(ms: number): void {
    if (this.#timer || this.#running || this.#isStopped) return;
    this.#timer = setTimeout(
      this.#guard(() => this.#begin()),
      ms,
    ).unref();
  }

  #begin(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isBehind || this.#waiting.size > 0) this.#later(this.#hasFailed ? RETRY_MS : DELAY_MS);
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    this.#hasFailed = false;
    try {
      const ids = [...this.#waiting];
      for (const id of ids) {
        this.#waiting.delete(id);
        await this.#index(id);
      }
      if (!this.#isBehind) return;
      const behind = await this.#store.search.behind(SESSIONS);
      for (const id of behind) await this.#index(id);
      this.#isBehind = behind.length === SESSIONS;
    } catch (error) {
      // The store reports its own failures; unindexed events are found again when it works.
      if (!(error instanceof StoreError)) throw error;
      this.#isBehind = true;
      this.#hasFailed = true;
    }
  }

  async #index(id: string): Promise<void> {
    if (this.#isStopped) return;
    if (this.#awaitedBy === 0) await delay(PAUSE_MS);
    const { search, events } = this.#store;
    for (let after = await search.indexedTo(id); !this.#isStopped; ) {
      const page = await events.after(id, after, PAGE, PAGE_BYTES);
      const last = page.at(-1);
      if (!last) return;
      const texts = page.flatMap(({ body }): IndexedText[] => {
        const event = fromBinary(EventSchema, body);
        const words = wordsOf(searchableOf(event)?.text ?? "");
        return words.length > 0 ? [{ seq: Number(event.seq), words }] : [];
      });
      // A small write that succeeds on a full disk must not make the store look healthy.
      if (this.#store.illness) throw this.#store.illness;
      await this.#store.write([{ type: "indexTexts", sessionId: id, upTo: last.seq, texts }]);
      after = last.seq;
      await nextTurn();
    }
  }
}
