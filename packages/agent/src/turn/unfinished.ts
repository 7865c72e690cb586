import type { AbandonReason } from "./api-error.ts";
import { STREAM_CUT } from "./step.ts";

/** The texts that make the model continue after a reply that did not end the turn. */
const NUDGES = {
  refused:
    "Your reply was stopped by a safety check, and what was left of it was withheld. Do not produce that content again in any form; go on without it, or say that you can't.",
  cutOff:
    "Your reply was cut off at the length limit. Go on exactly where it stopped, without repeating anything, in smaller pieces.",
  cutStream:
    "The connection was lost in the middle of your reply. Go on exactly where it stopped, without repeating anything; if nothing of it is there, start over.",
  noCall: "You stopped to call a tool, and there is no call. Call the tool now, or answer without it.",
  empty: "Your reply was empty. Say something to the user, or call a tool.",
  unstructured: "Answer by calling the StructuredOutput tool now; nothing else completes this request.",
} as const;

/** How often a turn continues automatically after a reply that was cut short. */
const MAX_CONTINUATIONS = 3;
/** How often the model may stop to make a call and then not make it. */
const MAX_MISSING_CALLS = 2;

const CUT_OFF: ReadonlySet<string | null> = new Set([
  "max_tokens",
  "model_context_window_exceeded",
  STREAM_CUT,
]);

/** What happens to a turn after a reply without calls. */
export type Continuation =
  | { readonly kind: "done" }
  /** The model gets this text and continues; if it is empty, the model continues without one. */
  | { readonly kind: "goes_on"; readonly nudge: string; readonly isRefusal?: true }
  | { readonly kind: "given_up"; readonly why: AbandonReason };

const DONE: Continuation = { kind: "done" };

/** Evaluates the replies of one turn that have no calls: whether each ends the turn, and how often the turn may continue. */
export class UnfinishedReplies {
  #continuations = 0;
  #refusals = 0;
  #missingCalls = 0;
  #wasAskedForStructure = false;

  /** Evaluates a reply; `wantsStructure` while the host waits for a structured answer. */
  judge(stopReason: string | null, isEmpty: boolean, wantsStructure: boolean): Continuation {
    if (stopReason === "refusal")
      return this.#refusals++ > 0
        ? { kind: "given_up", why: "refused" }
        : { kind: "goes_on", nudge: NUDGES.refused, isRefusal: true };
    if (stopReason === "tool_use")
      return this.#missingCalls++ < MAX_MISSING_CALLS
        ? goesOn(NUDGES.noCall)
        : { kind: "given_up", why: "no_call" };
    if (CUT_OFF.has(stopReason))
      return this.#continuations++ < MAX_CONTINUATIONS
        ? goesOn(stopReason === STREAM_CUT ? NUDGES.cutStream : NUDGES.cutOff)
        : { kind: "given_up", why: "cut_off" };
    if (stopReason === "pause_turn" && this.#continuations++ < MAX_CONTINUATIONS) return goesOn("");
    if (isEmpty && this.#continuations++ < 1) return goesOn(NUDGES.empty);
    if (!wantsStructure || this.#wasAskedForStructure) return DONE;
    this.#wasAskedForStructure = true;
    return goesOn(NUDGES.unstructured);
  }
}

const goesOn = (nudge: string): Continuation => ({ kind: "goes_on", nudge });
