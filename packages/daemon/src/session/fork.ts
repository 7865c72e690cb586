import { EventSchema, PromptState, SessionStatus } from "@agentwire/api";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { EventLog } from "../store/event-log.ts";
import type { Write } from "../store/write.ts";

/**
 * The write that gives a copy the history of its original, up to the first prompt that is not answered yet, under the same
 * numbers. Events say which session they belong to; where a field comes twice the last one counts, so the new name is put
 * behind each event and none has to be decoded.
 */
export function copyEvents(from: string, to: string): Write {
  const name = toBinary(EventSchema, create(EventSchema, { sessionId: to }));
  return {
    sql: `INSERT INTO events (session_id, seq, delta_of, body)
          SELECT ?, seq, NULL, CAST(body || ? AS BLOB) FROM events WHERE session_id = ? AND seq < ifnull(
            (SELECT min(seq) FROM prompts WHERE session_id = ? AND state IN (?, ?)), 9e18)`,
    values: [to, name, from, from, PromptState.QUEUED, PromptState.STARTED],
  };
}

const PAGE = 200;

/** What the stored events of a session say that it does; at rest where none of them says anything else. */
export function lastStatus(log: EventLog, sessionId: string): SessionStatus {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const page = log.before(sessionId, before, PAGE);
    for (const { body } of page.toReversed()) {
      const event = fromBinary(EventSchema, body).body;
      if (event.case === "statusChange") return event.value.status;
    }
    const [first] = page;
    if (!first) return SessionStatus.IDLE;
    before = first.seq;
  }
}

/** Who held the input of a session at one of its events, given who holds it after the last that is stored. */
export function holderAt(log: EventLog, sessionId: string, seq: number, now: string): string {
  for (let after = seq; ; ) {
    const page = log.after(sessionId, after, PAGE);
    for (const { body } of page) {
      const event = fromBinary(EventSchema, body).body;
      if (event.case === "inputHolderChange") return event.value.previous;
    }
    const last = page.at(-1);
    if (!last) return now;
    after = last.seq;
  }
}
