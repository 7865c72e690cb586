import { EventSchema, PromptState, SessionStatus } from "@agentwire/api";
import { fromBinary } from "@bufbuild/protobuf";
import type { Draft } from "../store/draft.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { EventLog } from "../store/store.ts";
import { atRest, inputFree } from "./recovery.ts";

const PAGE = 200;
const COPIED = "it is a copy";

/** The events that end a copy, which may stop where the original was running, had failed, or had an input holder. */
export async function endOfCopy(
  log: EventLog,
  { id, inputHolder }: SessionRecord,
  copy: string,
  lastSeq: number,
): Promise<readonly Draft[]> {
  const status = await lastStatus(log, copy);
  const holder = await holderAt(log, id, lastSeq, inputHolder);
  return [
    ...(holder === "" ? [] : [inputFree(holder, COPIED)]),
    ...(status === SessionStatus.IDLE ? [] : [atRest(status, COPIED)]),
  ];
}

/** The event for a prompt that had arrived, but whose turn is not in the copy. */
export const leftOut = (promptId: string): Draft => ({
  body: { case: "promptChange", value: { promptId, state: PromptState.CANCELLED, reason: COPIED } },
});

/** The status of a session according to its stored events; idle if none of them says otherwise. */
async function lastStatus(log: EventLog, sessionId: string): Promise<SessionStatus> {
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

/** Who held the input of a session at one of its events, given the holder after the last stored event. */
async function holderAt(log: EventLog, sessionId: string, seq: number, now: string): Promise<string> {
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
