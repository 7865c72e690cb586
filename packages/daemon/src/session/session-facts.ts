import type { Amount } from "../store/amount.ts";
import type { SessionRecord } from "../store/session-record.ts";

/** The state of a session as of one of its events: all of it follows from the events up to there. */
export interface SessionFacts {
  readonly record: SessionRecord;
  readonly openQuestions: number;
  readonly queuedPrompts: number;
  /** The usage of all processes that have run it. */
  readonly usage: Amount;
}
