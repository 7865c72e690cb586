import { checkedEvent, type EventRow } from "../checked-event.ts";
import type { RawLine } from "../raw-lines.ts";
import { type EventLog, type Numbered, PAGE_BYTES, type RawLog } from "../store.ts";
import type { Database, Row } from "./database.ts";

/** The lowest and the highest number of a session's events. */
export function boundsOf(db: Database, sessionId: string): { readonly first: number; readonly last: number } {
  const first = db.statement("SELECT seq FROM events WHERE session_id = ? ORDER BY seq LIMIT 1");
  const last = db.statement("SELECT seq FROM events WHERE session_id = ? ORDER BY seq DESC LIMIT 1");
  return { first: Number(first.get(sessionId)?.seq ?? 0), last: Number(last.get(sessionId)?.seq ?? 0) };
}

/** Reads the events of a database. */
export function eventLog(db: Database): EventLog {
  return {
    ...numbered(db, "events", "body", "seq, body, sum", (row, sessionId) =>
      checkedEvent(sessionId, row as unknown as EventRow),
    ),
    bounds: async (sessionId) => boundsOf(db, sessionId),
    async numberOf(sessionId, count) {
      const sql = "SELECT seq FROM events WHERE session_id = ? ORDER BY seq LIMIT 1 OFFSET ?";
      return db.statement(sql).get(sessionId, count - 1)?.seq as number | undefined;
    },
  };
}

/** Reads the stored lines of a database. */
export function rawLog(db: Database): RawLog {
  return {
    ...numbered(
      db,
      "raw_lines",
      "line",
      "seq, line",
      ({ seq, line }): RawLine => ({
        seq: seq as number,
        line: Buffer.from(line as Uint8Array).toString("utf8"),
      }),
    ),
    sizes: async (sessionId) =>
      db
        .statement("SELECT seq, length(line) AS bytes FROM raw_lines WHERE session_id = ? ORDER BY seq")
        .all(sessionId) as unknown as { seq: number; bytes: number }[],
  };
}

/** Reads the rows of a table by their numbers; `content` is the column whose size counts. */
function numbered<T>(
  db: Database,
  table: string,
  content: string,
  columns: string,
  toItem: (row: Row, sessionId: string) => T,
): Numbered<T> {
  const reader = (comparison: string, order: string) => {
    const from = `FROM ${table} WHERE session_id = ? AND seq ${comparison} ? ORDER BY seq ${order} LIMIT ?`;
    const rows = `SELECT ${columns} ${from}`;
    const size = `SELECT sum(length(${content})) AS bytes FROM (SELECT ${content} ${from})`;
    return (sessionId: string, seq: number, limit: number, maxBytes = PAGE_BYTES): readonly T[] => {
      // Usually all of them fit, and reading them one by one would cost a third more.
      const bytes = Number(db.statement(size).get(sessionId, seq, limit)?.bytes ?? 0);
      const found =
        bytes <= maxBytes
          ? db.statement(rows).all(sessionId, seq, limit)
          : fitting(db.statement(rows).iterate(sessionId, seq, limit), content, maxBytes);
      return found.map((row) => toItem(row, sessionId));
    };
  };
  const [next, last] = [reader(">", ""), reader("<", "DESC")];
  return {
    after: async (...place) => next(...place),
    before: async (...place) => last(...place).toReversed(),
  };
}

/** The first rows whose content fits into a number of bytes, but at least one if there are any. */
export function fitting(rows: Iterable<Row>, content: string, maxBytes: number): readonly Row[] {
  const taken: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += (row[content] as Uint8Array).length;
    if (taken.length > 0 && bytes > maxBytes) break;
    taken.push(row);
  }
  return taken;
}
