import { checkedEvent, type EventRow, type StoredEvent } from "./checked-event.ts";
import type { Database } from "./database.ts";
import { eventSum } from "./event-sum.ts";
import type { Write } from "./write.ts";

/** The write that puts an event into the log; `deltaOf` names the unfinished reply that it is a piece of. */
export function appendEvent(sessionId: string, { seq, body }: StoredEvent, deltaOf?: string): Write {
  return {
    sql: "INSERT INTO events (session_id, seq, delta_of, body, sum) VALUES (?, ?, ?, ?, ?)",
    values: [sessionId, seq, deltaOf ?? null, body, eventSum(seq, body)],
  };
}

/** The write that takes out the pieces of a reply that is finished; `from` is the number of the first. */
export function dropDeltas(sessionId: string, from: number, before: number, deltaOf: string): Write {
  return {
    sql: "DELETE FROM events WHERE session_id = ? AND seq >= ? AND seq < ? AND delta_of = ?",
    values: [sessionId, from, before, deltaOf],
  };
}

/** What can be read of the log beside its writer; in place of a damaged event comes one that says so. */
export interface EventLog {
  /** The next events after a number, in order. */
  after(sessionId: string, seq: number, limit: number): readonly StoredEvent[];
  /** The same, limited to a number of bytes, but at least one. */
  page(sessionId: string, seq: number, limit: number, maxBytes: number): readonly StoredEvent[];
  /** The last events before a number, in order. */
  before(sessionId: string, seq: number, limit: number): readonly StoredEvent[];
  /** The lowest and the highest number that are stored; 0 where there is none. */
  bounds(sessionId: string): { readonly first: number; readonly last: number };
}

/** Reads the log of a database. */
export function eventLog(db: Database): EventLog {
  const next = db.statement(
    "SELECT seq, body, sum FROM events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?",
  );
  const size = db.statement(
    `SELECT sum(length(body)) AS bytes FROM
       (SELECT body FROM events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?)`,
  );
  const checked = (sessionId: string, rows: readonly unknown[]) =>
    rows.map((row) => checkedEvent(sessionId, row as EventRow));
  return {
    after: (sessionId, seq, limit) => checked(sessionId, next.all(sessionId, seq, limit)),
    page(sessionId, seq, limit, maxBytes) {
      // Mostly all of them fit, and taking them one by one would cost a third more.
      const { bytes } = size.get(sessionId, seq, limit) as { readonly bytes: number | null };
      if ((bytes ?? 0) <= maxBytes) return checked(sessionId, next.all(sessionId, seq, limit));
      const events: StoredEvent[] = [];
      let taken = 0;
      for (const row of next.iterate(sessionId, seq, limit)) {
        const event = checkedEvent(sessionId, row as unknown as EventRow);
        taken += event.body.length;
        if (events.length > 0 && taken > maxBytes) break;
        events.push(event);
      }
      return events;
    },
    before: (sessionId, seq, limit) =>
      checked(
        sessionId,
        db
          .statement(
            "SELECT seq, body, sum FROM events WHERE session_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
          )
          .all(sessionId, seq, limit),
      ).reverse(),
    bounds(sessionId) {
      const first = db.statement("SELECT seq FROM events WHERE session_id = ? ORDER BY seq LIMIT 1");
      const last = db.statement("SELECT seq FROM events WHERE session_id = ? ORDER BY seq DESC LIMIT 1");
      const seqOf = (row: unknown) => (row as { readonly seq: number } | undefined)?.seq ?? 0;
      return { first: seqOf(first.get(sessionId)), last: seqOf(last.get(sessionId)) };
    },
  };
}
