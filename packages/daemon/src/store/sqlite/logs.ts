import { checkedEvent, type EventRow, type StoredEvent } from "../checked-event.ts";
import type { RawLine } from "../raw-lines.ts";
import type { EventLog, RawLog } from "../store.ts";
import type { Database, SqlValue } from "./database.ts";

/** The lowest and the highest number of a session's events. */
export function boundsOf(db: Database, sessionId: string): { readonly first: number; readonly last: number } {
  const first = db.statement("SELECT seq FROM events WHERE session_id = ? ORDER BY seq LIMIT 1");
  const last = db.statement("SELECT seq FROM events WHERE session_id = ? ORDER BY seq DESC LIMIT 1");
  return { first: Number(first.get(sessionId)?.seq ?? 0), last: Number(last.get(sessionId)?.seq ?? 0) };
}

/** Reads the events of a database. */
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
    after: async (sessionId, seq, limit) => checked(sessionId, next.all(sessionId, seq, limit)),
    async page(sessionId, seq, limit, maxBytes) {
      // Usually all of them fit, and reading them one by one would cost a third more.
      const bytes = Number(size.get(sessionId, seq, limit)?.bytes ?? 0);
      if (bytes <= maxBytes) return checked(sessionId, next.all(sessionId, seq, limit));
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
    async before(sessionId, seq, limit) {
      const sql =
        "SELECT seq, body, sum FROM events WHERE session_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?";
      return checked(sessionId, db.statement(sql).all(sessionId, seq, limit)).reverse();
    },
    bounds: async (sessionId) => boundsOf(db, sessionId),
    async numberOf(sessionId, count) {
      const sql = "SELECT seq FROM events WHERE session_id = ? ORDER BY seq LIMIT 1 OFFSET ?";
      return db.statement(sql).get(sessionId, count - 1)?.seq as number | undefined;
    },
  };
}

/** Reads the stored lines of a database. */
export function rawLog(db: Database): RawLog {
  const page = (sql: string, ...values: readonly SqlValue[]) =>
    db
      .statement(sql)
      .all(...values)
      .map(
        ({ seq, line }): RawLine => ({
          seq: seq as number,
          line: Buffer.from(line as Uint8Array).toString("utf8"),
        }),
      );
  return {
    after: async (...place) =>
      page("SELECT seq, line FROM raw_lines WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?", ...place),
    before: async (...place) =>
      page(
        "SELECT seq, line FROM raw_lines WHERE session_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
        ...place,
      ).reverse(),
    sizes: async (sessionId) =>
      db
        .statement("SELECT seq, length(line) AS bytes FROM raw_lines WHERE session_id = ? ORDER BY seq")
        .all(sessionId) as unknown as { seq: number; bytes: number }[],
  };
}
