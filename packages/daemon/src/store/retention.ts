import { setImmediate } from "node:timers/promises";
import { Disposition, EventSchema, PromptState, RuleScope } from "@agentwire/api";
import { fromBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { StoredEvent } from "./checked-event.ts";
import type { Database } from "./database.ts";
import type { EventLog } from "./event-log.ts";
import type { Write } from "./write.ts";
import type { Writer } from "./writer.ts";

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
  readonly db: Database;
  readonly log: EventLog;
  readonly writer: Writer;
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
    for (const id of this.#deletedBefore(nowMs - this.#options.limits().deletedMs)) {
      if (signal.aborted) return;
      await this.#clear(id, signal);
    }
    for (let after = ""; !signal.aborted; ) {
      const ids = this.#sessionsAfter(after);
      for (const id of ids) if (!signal.aborted) await this.#prune(id, nowMs, signal);
      const last = ids.at(-1);
      if (last === undefined) return;
      after = last;
      await setImmediate();
    }
  }

  #deletedBefore(ms: number): readonly string[] {
    return ids(this.#options.db.statement("SELECT id FROM sessions WHERE deleted_ms < ?").all(ms));
  }

  #sessionsAfter(id: string): readonly string[] {
    const { db } = this.#options;
    return ids(db.statement("SELECT id FROM sessions WHERE id > ? ORDER BY id LIMIT ?").all(id, PAGE));
  }

  async #prune(id: string, nowMs: number, signal: AbortSignal): Promise<void> {
    const { log, limits } = this.#options;
    const { first, last } = log.bounds(id);
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
    const { log, writer } = this.#options;
    while (!signal.aborted) {
      // Usually there is nothing to do, which one read shows.
      const [oldest] = log.after(id, 0, 1);
      if (!oldest || timeOf(oldest) >= beforeMs) return;
      const events = log.page(id, 0, BATCH, BATCH_BYTES).filter(({ seq }) => seq < last);
      const young = events.findIndex((event) => timeOf(event) >= beforeMs);
      const old = young < 0 ? events : events.slice(0, young);
      const to = old.at(-1)?.seq;
      if (to === undefined) return;
      await writer.write(upTo(id, to));
      if (young >= 0) return;
    }
  }

  async #dropUpTo(id: string, cut: number, signal: AbortSignal): Promise<void> {
    const { db, writer } = this.#options;
    const step = db.statement("SELECT seq FROM events WHERE session_id = ? ORDER BY seq LIMIT 1 OFFSET ?");
    for (let done = false; !done && !signal.aborted; ) {
      const row = step.get(id, BATCH - 1) as { readonly seq: number } | undefined;
      const to = Math.min(row?.seq ?? cut, cut);
      await writer.write(upTo(id, to));
      done = to === cut;
    }
  }

  /** A session that was deleted for good; its own row goes last, so that an interrupted deletion continues. */
  async #clear(id: string, signal: AbortSignal): Promise<void> {
    const { log, writer } = this.#options;
    const { last } = log.bounds(id);
    if (last > 0) await this.#dropUpTo(id, last, signal);
    if (signal.aborted) return;
    await writer.write([
      ...["events", "raw_lines", "prompts", "questions", "usage_seen"].map(
        (table): Write => ({ sql: `DELETE FROM ${table} WHERE session_id = ?`, values: [id] }),
      ),
      { sql: "DELETE FROM rules WHERE scope = ? AND owner = ?", values: [RuleScope.SESSION, id] },
      { sql: "DELETE FROM budgets WHERE scope = 'session' AND owner = ?", values: [id] },
      { sql: "DELETE FROM sessions WHERE id = ? AND deleted_ms IS NOT NULL", values: [id] },
    ]);
  }
}

/** What goes with events: their lines, and the prompts and questions that ended by then. */
function upTo(id: string, seq: number): readonly Write[] {
  return [
    { sql: "DELETE FROM events WHERE session_id = ? AND seq <= ?", values: [id, seq] },
    { sql: "DELETE FROM raw_lines WHERE session_id = ? AND seq <= ?", values: [id, seq] },
    {
      sql: "DELETE FROM prompts WHERE session_id = ? AND state IN (?, ?) AND seq <= ?",
      values: [id, PromptState.COMPLETED, PromptState.CANCELLED, seq],
    },
    {
      sql: "DELETE FROM questions WHERE disposition > ? AND session_id = ? AND seq <= ?",
      values: [Disposition.OPEN, id, seq],
    },
  ];
}

/** When it was said; what does not say is as old as can be. */
function timeOf({ body }: StoredEvent): number {
  const { time } = fromBinary(EventSchema, body);
  return time ? timestampMs(time) : 0;
}

const ids = (rows: readonly unknown[]) => rows.map((row) => (row as { readonly id: string }).id);
