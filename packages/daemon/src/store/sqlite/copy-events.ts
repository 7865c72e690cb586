import { EventSchema, PromptState } from "@agentwire/api";
import { create, toBinary } from "@bufbuild/protobuf";
import type { Database } from "./database.ts";
import type { Writer } from "./writer.ts";

/** How much is copied in one transaction, which other writers have to wait for. */
const SLICE = 500;
const SLICE_BYTES = 512 * 1024;

/**
 * Copies the history of a session to a fork, under the same numbers, up to the first unanswered prompt or a given number. Each event
 * contains its session id; if a field occurs twice the last one counts, so the new id is appended to each event and none has to be
 * decoded.
 */
export async function copyEvents(
  db: Database,
  writer: Writer,
  from: string,
  to: string,
  before = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const name = toBinary(EventSchema, create(EventSchema, { sessionId: to }));
  const end = Math.min(endOf(db, from), before);
  for (let after = 0; ; ) {
    const last = sliceEnd(db, from, after, end);
    if (last === undefined) return;
    await writer.write([
      {
        sql: `INSERT INTO events (session_id, seq, delta_of, body, sum)
              SELECT ?, seq, NULL, CAST(body || ? AS BLOB), longer_sum(sum, ?) FROM events
              WHERE session_id = ? AND seq > ? AND seq <= ?`,
        values: [to, name, name, from, after, last],
      },
    ]);
    after = last;
  }
}

/** The number before which a copy ends: later events belong to the original only. */
function endOf(db: Database, sessionId: string): number {
  const row = db
    .statement(
      `SELECT coalesce((SELECT min(seq) FROM prompts WHERE session_id = ? AND state IN (?, ?)),
         (SELECT max(seq) + 1 FROM events WHERE session_id = ?), 0) AS seq`,
    )
    .get(sessionId, PromptState.QUEUED, PromptState.STARTED, sessionId);
  return Number(row?.seq);
}

/** The number of the last event of the next slice; undefined if there is none left. */
function sliceEnd(db: Database, sessionId: string, after: number, end: number): number | undefined {
  const sizes = db
    .statement(
      `SELECT seq, octet_length(body) AS bytes FROM events
       WHERE session_id = ? AND seq > ? AND seq < ? ORDER BY seq LIMIT ?`,
    )
    .all(sessionId, after, end, SLICE) as unknown as readonly { seq: number; bytes: number }[];
  let bytes = 0;
  const full = sizes.findIndex((event) => {
    bytes += event.bytes;
    return bytes >= SLICE_BYTES;
  });
  return sizes.at(full)?.seq;
}
