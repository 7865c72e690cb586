import { setImmediate } from "node:timers/promises";
import { EventSchema } from "@agentwire/api";
import { fromBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { StoredEvent } from "./checked-event.ts";
import type { Store } from "./store.ts";

/** How long things are kept. */
export interface RetentionLimits {
  /** Events that are older go, but for the last one of each session: it has the number that the next one counts from. */
  readonly maxAgeMs: number;
  /** How many numbers back events are kept in each session. */
  readonly maxEvents: number;
  /** How long a deleted session can be restored. */
  readonly deletedMs: number;
}

interface RetentionOptions {
  readonly store: Store;
  readonly limits: () => RetentionLimits;
}

/** How many rows are deleted in one transaction, which other writers have to wait for. */
const BATCH = 500;
const BATCH_BYTES = 1024 * 1024;
const PAGE = 200;

/** Purges what is too old or too much, in small steps. */
export class Retention {
  readonly #options: RetentionOptions;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Goes through all sessions once; rejects with a `StoreError` if the store can't be written. */
  async run(nowMs: number, signal: AbortSignal): Promise<void> {
    const { store, limits } = this.#options;
    for (const id of await store.sessions.deletedBefore(nowMs - limits().deletedMs)) {
      if (signal.aborted) return;
      await this.#clear(id, signal);
    }
    for (let after = ""; !signal.aborted; ) {
      const ids = await store.sessions.idsAfter(after, PAGE);
      for (const id of ids) if (!signal.aborted) await this.#prune(id, nowMs, signal);
      const last = ids.at(-1);
      if (last === undefined) return;
      after = last;
      await setImmediate();
    }
  }

  async #prune(id: string, nowMs: number, signal: AbortSignal): Promise<void> {
    const { store, limits } = this.#options;
    const { first, last } = await store.events.bounds(id);
    if (first === 0) return;
    const tooMany = last - limits().maxEvents;
    if (tooMany >= first) await this.#dropUpTo(id, Math.min(tooMany, last - 1), signal);
    await this.#dropOld(id, last, nowMs - limits().maxAgeMs, signal);
  }

  /**
   * Goes from the oldest event to the first one that is not too old, whatever those behind it say: a clock that was wrong for a while must
   * not take along what came before. The last event stays: without it numbers would start again at 1.
   */
  async #dropOld(id: string, last: number, beforeMs: number, signal: AbortSignal): Promise<void> {
    const { store } = this.#options;
    for (let gone = 0; !signal.aborted; ) {
      // Usually there is nothing to do, which one read shows.
      const [oldest] = await store.events.after(id, 0, 1);
      // A store may keep the pieces of a reply together, and so old ones with the last.
      if (!oldest || timeOf(oldest) >= beforeMs || oldest.seq <= gone) return;
      const page = await store.events.page(id, 0, BATCH, BATCH_BYTES);
      const events = page.filter(({ seq }) => seq < last);
      const young = events.findIndex((event) => timeOf(event) >= beforeMs);
      const old = young < 0 ? events : events.slice(0, young);
      const to = old.at(-1)?.seq;
      if (to === undefined) return;
      await store.write([{ type: "prune", sessionId: id, upTo: to }]);
      gone = to;
      if (young >= 0) return;
    }
  }

  async #dropUpTo(id: string, cut: number, signal: AbortSignal): Promise<void> {
    const { store } = this.#options;
    for (let done = false; !done && !signal.aborted; ) {
      const upTo = Math.min((await store.events.numberOf(id, BATCH)) ?? cut, cut);
      await store.write([{ type: "prune", sessionId: id, upTo }]);
      done = upTo === cut;
    }
  }

  /** A session that was deleted for good; its own row goes last, so that an interrupted deletion continues. */
  async #clear(id: string, signal: AbortSignal): Promise<void> {
    const { store } = this.#options;
    const { last } = await store.events.bounds(id);
    if (last > 0) await this.#dropUpTo(id, last, signal);
    if (signal.aborted) return;
    await store.write([{ type: "clearSession", sessionId: id }]);
  }
}

/** When it was said; what does not say is as old as can be. */
function timeOf({ body }: StoredEvent): number {
  const { time } = fromBinary(EventSchema, body);
  return time ? timestampMs(time) : 0;
}
