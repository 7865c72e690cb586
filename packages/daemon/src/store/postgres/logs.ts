import { checkedEvent, type EventRow } from "../checked-event.ts";
import type { RawLine } from "../raw-lines.ts";
import type { EventLog, RawLog } from "../store.ts";
import type { Read } from "./connection.ts";

/** Reads the events of a database. */
export function eventLog(read: Read): EventLog {
  const checked = (sessionId: string, rows: readonly EventRow[]) =>
    rows.map((row) => checkedEvent(sessionId, row));
  return {
    after: async (sessionId, seq, limit) =>
      checked(sessionId, await read<EventRow>(NEXT, sessionId, seq, limit)),
    page: async (...place) => checked(place[0], await read<EventRow>(PAGE, ...place)),
    before: async (sessionId, seq, limit) =>
      checked(sessionId, await read<EventRow>(PREVIOUS, sessionId, seq, limit)).reverse(),
    async bounds(sessionId) {
      const [row] = await read<{ first: number; last: number }>(BOUNDS, sessionId);
      return row ?? { first: 0, last: 0 };
    },
    numberOf: async (sessionId, count) => (await read<{ seq: number }>(NUMBER, sessionId, count - 1))[0]?.seq,
  };
}

const NEXT = "SELECT seq, body, sum FROM events WHERE session_id = $1 AND seq > $2 ORDER BY seq LIMIT $3";
const PREVIOUS =
  "SELECT seq, body, sum FROM events WHERE session_id = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3";
/** Those whose bytes fit together, and the first one however large it is. */
const PAGE = `
SELECT seq, body, sum FROM (
  SELECT seq, body, sum, sum(length(body)) OVER (ORDER BY seq) AS taken, row_number() OVER (ORDER BY seq) AS n
  FROM (${NEXT}) AS next) AS sized
WHERE n = 1 OR taken <= $4 ORDER BY seq`;
const BOUNDS = `
SELECT coalesce((SELECT seq FROM events WHERE session_id = $1 ORDER BY seq LIMIT 1), 0) AS first,
  coalesce((SELECT seq FROM events WHERE session_id = $1 ORDER BY seq DESC LIMIT 1), 0) AS last`;
const NUMBER = "SELECT seq FROM events WHERE session_id = $1 ORDER BY seq LIMIT 1 OFFSET $2";

/** Reads the kept lines of a database. */
export function rawLog(read: Read): RawLog {
  const page = async (sql: string, ...place: readonly unknown[]) =>
    (await read<{ seq: number; line: Buffer }>(sql, ...place)).map(
      ({ seq, line }): RawLine => ({ seq, line: line.toString("utf8") }),
    );
  return {
    after: (...place) =>
      page(
        "SELECT seq, line FROM raw_lines WHERE session_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
        ...place,
      ),
    before: async (...place) =>
      (
        await page(
          "SELECT seq, line FROM raw_lines WHERE session_id = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3",
          ...place,
        )
      ).reverse(),
    sizes: (sessionId) =>
      read("SELECT seq, length(line) AS bytes FROM raw_lines WHERE session_id = $1 ORDER BY seq", sessionId),
  };
}
