import { setImmediate } from "node:timers/promises";
import { EventSchema } from "@agentwire/api";
import { fromBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { StoredEvent } from "./checked-event.ts";
import type { Store } from "./store.ts";

/** How long data is kept. */
export interface RetentionLimits {
  /** The maximum age of events; the last one of each session always stays, since numbers continue from it. */
  readonly maxAgeMs: number;
  /** How many of its latest numbers each session keeps. */
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
   * Prunes from the oldest event to the first one that is not too old, whatever the times of later ones: a clock that was wrong for a while
   * must not remove earlier events. The last event stays, because otherwise numbers would start again at 1.
   */
  async #dropOld(id: string, last: number, beforeMs: number, signal: AbortSignal): Promise<void> {
    const { store } = this.#options;
    for (let gone = 0; !signal.aborted; ) {
      // Usually there is nothing to do, as one read shows.
      const [oldest] = await store.events.after(id, 0, 1);
      // A store may keep deltas of a reply in one row, so old ones may remain with the last one.
      if (!oldest || timeOf(oldest) >= beforeMs || oldest.seq <= gone) return;
      const page = await store.events.after(id, 0, BATCH, BATCH_BYTES);
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

  /** Purges a deleted session; its own row goes last, so that an interrupted purge continues. */
  async #clear(id: string, signal: AbortSignal): Promise<void> {
    const { store } = this.#options;
    const { last } = await store.events.bounds(id);
    if (last > 0) await this.#dropUpTo(id, last, signal);
    if (signal.aborted) return;
    await store.write([{ type: "clearSession", sessionId: id }]);
  }
}

/** The time of an event; zero if it has none. */
function timeOf({ body }: StoredEvent): number {
  const { time } = fromBinary(EventSchema, body);
  return time ? timestampMs(time) : 0;
}
