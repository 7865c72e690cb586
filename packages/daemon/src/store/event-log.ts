import type { Database } from "./database.ts";
import type { Write } from "./write.ts";

/** An event as it is stored and sent: numbered and encoded once, for everyone. */
export interface StoredEvent {
  readonly seq: number;
  readonly body: Uint8Array;
}

/** The write that puts an event into the log; `deltaOf` names the unfinished reply that it is a piece of. */
export function appendEvent(sessionId: string, { seq, body }: StoredEvent, deltaOf?: string): Write {
  return {
    sql: "INSERT INTO events (session_id, seq, delta_of, body) VALUES (?, ?, ?, ?)",
    values: [sessionId, seq, deltaOf ?? null, body],
  };
}

/** The write that takes out the pieces of a reply that is finished; `from` is the number of the first. */
export function dropDeltas(sessionId: string, from: number, before: number, deltaOf: string): Write {
  return {
    sql: "DELETE FROM events WHERE session_id = ? AND seq >= ? AND seq < ? AND delta_of = ?",
    values: [sessionId, from, before, deltaOf],
  };
}

/** What can be read of the log beside its writer. */
export interface EventLog {
  /** The next events after a number, in order. */
  after(sessionId: string, seq: number, limit: number): readonly StoredEvent[];
  /** The same, but no more than fit into so many bytes, and one at least. */
  page(sessionId: string, seq: number, limit: number, maxBytes: number): readonly StoredEvent[];
  /** The last events before a number, in order. */
  before(sessionId: string, seq: number, limit: number): readonly StoredEvent[];
  /** The lowest and the highest number that are stored; 0 where there is none. */
  bounds(sessionId: string): { readonly first: number; readonly last: number };
}

/** Reads the log of a database. */
export function eventLog(db: Database): EventLog {
  const next = db.statement(
    "SELECT seq, body FROM events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?",
  );
  const size = db.statement(
    `SELECT sum(length(body)) AS bytes FROM
       (SELECT body FROM events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?)`,
  );
  return {
    after: (sessionId, seq, limit) => next.all(sessionId, seq, limit) as unknown as StoredEvent[],
    page(sessionId, seq, limit, maxBytes) {
      // Mostly all of them fit, and taking them one by one would cost a third more.
      const { bytes } = size.get(sessionId, seq, limit) as { readonly bytes: number | null };
      if ((bytes ?? 0) <= maxBytes) return next.all(sessionId, seq, limit) as unknown as StoredEvent[];
      const events: StoredEvent[] = [];
      let taken = 0;
      for (const event of next.iterate(sessionId, seq, limit) as Iterable<StoredEvent>) {
        taken += event.body.length;
        if (events.length > 0 && taken > maxBytes) break;
        events.push(event);
      }
      return events;
    },
    before: (sessionId, seq, limit) =>
      (
        db
          .statement(
            "SELECT seq, body FROM events WHERE session_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
          )
          .all(sessionId, seq, limit) as unknown as StoredEvent[]
      ).reverse(),
    bounds(sessionId) {
      const first = db.statement("SELECT seq FROM events WHERE session_id = ? ORDER BY seq LIMIT 1");
      const last = db.statement("SELECT seq FROM events WHERE session_id = ? ORDER BY seq DESC LIMIT 1");
      const seqOf = (row: unknown) => (row as { readonly seq: number } | undefined)?.seq ?? 0;
      return { first: seqOf(first.get(sessionId)), last: seqOf(last.get(sessionId)) };
    },
  };
}
