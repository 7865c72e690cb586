import type { StoredEvent } from "../checked-event.ts";
import type { RawLine } from "../raw-lines.ts";
import { type EventLog, PAGE_BYTES, type RawLog, type ReadPage } from "../store.ts";
import type { Read } from "./connection.ts";
import { eventsOf, type LogRow, MAX_PACKED } from "./packed-events.ts";

/** Reads the events of a database. */
export function eventLog(read: Read): EventLog {
  const events = (sessionId: string, rows: readonly LogRow[]) =>
    rows.flatMap((row) => eventsOf(sessionId, row));
  return {
    async after(sessionId, seq, limit, maxBytes = PAGE_BYTES) {
      const found = events(sessionId, await read<LogRow>(NEXT, sessionId, seq, limit, maxBytes));
      return atMost(found, (event) => event.seq > seq, limit);
    },
    async before(sessionId, seq, limit, maxBytes = PAGE_BYTES) {
      const found = events(sessionId, await read<LogRow>(LAST, sessionId, seq, limit, maxBytes));
      const sorted = found.sort((one, other) => other.seq - one.seq);
      return atMost(sorted, (event) => event.seq < seq, limit).reverse();
    },
    async bounds(sessionId) {
      const [row] = await read<{ first: number; last: number }>(BOUNDS, sessionId);
      return row ?? { first: 0, last: 0 };
    },
    numberOf: async (sessionId, count) => (await read<{ seq: number }>(NUMBER, sessionId, count))[0]?.seq,
  };
}

function atMost(events: StoredEvent[], fits: (event: StoredEvent) => boolean, limit: number): StoredEvent[] {
  const isAll = events.length <= limit && events.every(fits);
  return isAll ? events : events.filter(fits).slice(0, limit);
}

/** Limits rows by their events and total bytes, but returns at least one; the rows may contain more events than wanted. */
const sized = (rows: string, order: string) => `
SELECT seq, packed, body, sum FROM (
  SELECT seq, packed, body, sum, sum(length(body)) OVER w AS bytes, sum(packed) OVER w - packed AS n
  FROM (${rows}) AS next WINDOW w AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)) AS sized
WHERE n = 0 OR (n < $3::bigint + ${MAX_PACKED} AND bytes <= $4::bigint) ORDER BY ${order}`;

const NEXT = sized(
  "SELECT seq, packed, body, sum FROM events WHERE session_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
  "seq",
);
const LAST = sized(
  `SELECT seq, packed, body, sum FROM events
   WHERE session_id = $1 AND seq < $2::bigint + ${MAX_PACKED} AND seq - packed + 1 < $2 ORDER BY seq DESC LIMIT $3`,
  "seq DESC",
);

/** The number of the first event of a session; 0 if it has none. */
export const firstSeqOf = (session: string) =>
  `coalesce((SELECT seq - packed + 1 FROM events WHERE session_id = ${session} ORDER BY seq LIMIT 1), 0)`;
/** The number of the last one. */
export const lastSeqOf = (session: string) =>
  `coalesce((SELECT seq FROM events WHERE session_id = ${session} ORDER BY seq DESC LIMIT 1), 0)`;

const BOUNDS = `SELECT ${firstSeqOf("$1")} AS first, ${lastSeqOf("$1")} AS last`;
const NUMBER = `
SELECT seq - (total - $2)::bigint AS seq FROM (
  SELECT seq, sum(packed) OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) AS total
  FROM (SELECT seq, packed FROM events WHERE session_id = $1 ORDER BY seq LIMIT $2) AS first) AS counted
WHERE total >= $2 ORDER BY seq LIMIT 1`;

/** Reads the lines that daemons of old versions stored here. */
export function oldLines(read: Read): RawLog {
  const page = async (sql: string, ...place: Parameters<ReadPage<RawLine>>) => {
    const [sessionId, seq, limit, maxBytes = PAGE_BYTES] = place;
    const rows = await read<{ seq: number; line: Buffer }>(sql, sessionId, seq, limit, maxBytes);
    return rows.map(({ seq, line }): RawLine => ({ seq, line: line.toString("utf8") }));
  };
  return {
    after: (...place) => page(lines(">", "seq"), ...place),
    before: async (...place) => (await page(lines("<", "seq DESC"), ...place)).reverse(),
    sizes: (sessionId) =>
      read("SELECT seq, length(line) AS bytes FROM raw_lines WHERE session_id = $1 ORDER BY seq", sessionId),
  };
}

const lines = (comparison: string, order: string) => `
SELECT seq, line FROM (
  SELECT seq, line, sum(length(line)) OVER w AS bytes, row_number() OVER w AS n
  FROM (SELECT seq, line FROM raw_lines WHERE session_id = $1 AND seq ${comparison} $2 ORDER BY ${order} LIMIT $3) AS next
  WINDOW w AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)) AS sized
WHERE n = 1 OR bytes <= $4::bigint ORDER BY ${order}`;
