import type { RunEnding } from "./agent-run.ts";
import type { DriverOptions } from "./driver-options.ts";
import { errorDraft } from "./events/error.ts";
import type { Journal } from "./journal.ts";
import type { RestartPolicy } from "./restarter.ts";
import type { SessionState } from "./state.ts";

/** The consequences of an agent's death. */
export interface Crash {
  readonly code: string;
  /** Why it did not resume its conversation, if that was the reason. */
  readonly refusal: ConversationConflict | undefined;
  /** When to try again, or why not. */
  readonly next: { readonly delayMs: number } | { readonly giveUp: string };
}

/** Decides what to do about an agent that died; the death counts towards the limit. */
export function judgeCrash(
  error: Error,
  { neverCameUp, complaint }: RunEnding,
  restarts: RestartPolicy,
): Crash {
  const code = "code" in error && typeof error.code === "string" ? error.code : "agent_failed";
  const refusal = neverCameUp ? startRefusal(complaint) : undefined;
  // An agent that exits immediately with no signal would do so again.
  if (neverCameUp && !refusal && !isBadLuck(code))
    return { code, refusal, next: { giveUp: "the agent can't be started; the next prompt tries again" } };
  const delayMs = restarts.crashed(performance.now(), !neverCameUp);
  if (delayMs !== undefined) return { code, refusal, next: { delayMs } };
  const what = neverCameUp ? "the agent failed to start" : "the agent died";
  return { code, refusal, next: { giveUp: `${what} too often; the next prompt tries again` } };
}

/** What a report of a death is written to. */
type CrashRecords = Pick<DriverOptions, "journal" | "state" | "meter" | "incidents">;

/** Tells clients and operators how an agent died, the `deaths`th in a row. */
export function reportCrash(
  { journal, state, meter, incidents }: CrashRecords,
  crash: Crash,
  error: Error,
  ending: RunEnding,
  deaths: number,
): void {
  const { code, refusal, next } = crash;
  incidents.crashed(error, ending, crash, deaths);
  if (refusal) resolveConflict(refusal, journal, state, meter.total.outputTokens > 0);
  const stderrTail = ending.stderr ?? "";
  journal.note([errorDraft({ code, message: error.message, fatal: "giveUp" in next, stderrTail })]);
}

/** How the conversation in the agent's store differs from what the session expects. */
export type ConversationConflict =
  /** The agent has one with that id already: an earlier process created it without reporting it. */
  | "taken"
  /** It has none with that id: it was never written, or has been removed. */
  | "unknown";

/** Recognises what agents write when they refuse to start; undefined for anything else. */
function startRefusal(complaint: string): ConversationConflict | undefined {
  if (/session id \S+ is already in use/i.test(complaint)) return "taken";
  return /no conversation found/i.test(complaint) ? "unknown" : undefined;
}

/** Why an agent may fail to start though the next one might. */
const BAD_LUCK: ReadonlySet<string> = new Set([
  "killed",
  "no_first_line",
  "request_timeout",
  "spawn_failed",
  "output_closed",
]);

/** Whether one that did not start might do so the next time. */
const isBadLuck = (code: string): boolean => BAD_LUCK.has(code);

/** The agent has another id for the conversation, or none; that is a loss only if something was said in it. */
function resolveConflict(
  refusal: ConversationConflict,
  journal: Journal,
  state: SessionState,
  hadTurns: boolean,
): void {
  const agentSessionId = refusal === "taken" ? state.record.id : "";
  if (agentSessionId === "" && hadTurns)
    journal.note([
      errorDraft({
        code: "conversation_lost",
        message: "The agent no longer has this conversation and continues without the earlier messages.",
      }),
    ]);
  state.tell([], [state.change({ agentSessionId })]);
}
