import type { RunEnding } from "./agent-run.ts";
import type { Restarts } from "./restarts.ts";
import { isBadLuck, type StartRefusal, startRefusal } from "./start-refusal.ts";

/** What follows from the death of an agent. */
export interface Crash {
  readonly code: string;
  /** Why it did not take up its conversation, where that was it. */
  readonly refusal: StartRefusal | undefined;
  /** When to try again, or why not to. */
  readonly next: { readonly delayMs: number } | { readonly giveUp: string };
}

/** Judges how an agent died; it counts for how often it may still die. */
export function judgeCrash(error: Error, { neverCameUp, complaint }: RunEnding, restarts: Restarts): Crash {
  const code = "code" in error && typeof error.code === "string" ? error.code : "agent_failed";
  const refusal = neverCameUp ? startRefusal(complaint) : undefined;
  // One that goes at once, of its own will, would do so again.
  if (neverCameUp && !refusal && !isBadLuck(code))
    return { code, refusal, next: { giveUp: "the agent does not start; the next prompt retries" } };
  const delayMs = restarts.crashed(performance.now(), !neverCameUp);
  if (delayMs !== undefined) return { code, refusal, next: { delayMs } };
  const what = neverCameUp ? "the agent failed to start" : "the agent died";
  return { code, refusal, next: { giveUp: `${what} too often; the next prompt retries` } };
}
