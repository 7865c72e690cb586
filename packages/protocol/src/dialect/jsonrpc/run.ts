import type { JsonObject } from "../../json.ts";
import type { Caller } from "./caller.ts";

/** A run from its request to its result. */
export interface Run {
  readonly caller: Caller;
  /** What its prompt is called. */
  readonly uuid: string;
  /** The session that it was meant for; empty where it named none. */
  readonly sessionId: string;
  /** Its turn has not begun: one that no run asked for, such as about a task in the background, has not ended. */
  isWaiting: boolean;
  /** The requests to cancel it: they are answered after its result. */
  readonly cancels: Set<Caller>;
}

/** The result of a run that was cancelled or refused before it had a turn. */
export const turnless = (sessionId: string, isCancelled: boolean): JsonObject => ({
  type: "result",
  subtype: isCancelled ? "cancelled" : "error_during_execution",
  duration_ms: 0,
  duration_api_ms: 0,
  is_error: true,
  num_turns: 0,
  session_id: sessionId,
});
