import { EventSchema, SessionStatus } from "@agentwire/api";
import { fromBinary } from "@bufbuild/protobuf";
import type { EventLog } from "../store/store.ts";

const PAGE = 200;

/** The status of a session according to its stored events; idle if none of them says otherwise. */
export async function lastStatus(log: EventLog, sessionId: string): Promise<SessionStatus> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const page = await log.before(sessionId, before, PAGE);
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
export async function holderAt(log: EventLog, sessionId: string, seq: number, now: string): Promise<string> {
  for (let after = seq; ; ) {
    const page = await log.after(sessionId, after, PAGE);
    for (const { body } of page) {
      const event = fromBinary(EventSchema, body).body;
      if (event.case === "inputHolderChange") return event.value.previous;
    }
    const last = page.at(-1);
    if (!last) return now;
    after = last.seq;
  }
}
