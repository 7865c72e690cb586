import { HostError, type ProcessFacts } from "../errors.ts";
import type { Deadlines } from "./deadlines.ts";
import type { OpenWork } from "./open-work.ts";
import type { Patience } from "./watchdog.ts";

/** What it means when an agent is silent for too long. */
export type Silence = "no_first_line" | "silent" | "silent_tool" | "frozen" | "no_exit";

/** What a silence is judged by. */
export interface Situation {
  readonly work: OpenWork;
  readonly wasAsked: boolean;
  readonly wasHeard: boolean;
  readonly inputEnded: boolean;
}

/** How long an agent may be silent as things stand; undefined for as long as it likes. */
export function patienceIn(situation: Situation, deadlines: Deadlines): Patience<Silence> | undefined {
  const { work, wasAsked, wasHeard, inputEnded } = situation;
  const { firstLineMs, silenceMs, toolMs, backgroundMs, exitMs } = deadlines;
  if (wasAsked && !wasHeard) return { ms: firstLineMs, meaning: "no_first_line" };
  if (work.isAgentsTurn) return { ms: silenceMs, meaning: "silent" };
  if (work.isToolsTurn) return { ms: toolMs, meaning: "silent_tool" };
  if (inputEnded && work.isResting)
    return { ms: exitMs + (work.hasTasks ? backgroundMs : 0), meaning: "no_exit" };
  return undefined;
}

/** The error that a silence is; undefined for that of an agent which has done all it was to do. */
export function silenceError(
  silence: Silence,
  deadlines: Deadlines,
  facts: ProcessFacts,
): HostError | undefined {
  switch (silence) {
    case "no_first_line":
      return new HostError(
        silence,
        `The agent wrote nothing within ${deadlines.firstLineMs} ms of the first request. Does it speak this protocol?`,
        facts,
      );
    case "silent":
      return new HostError(
        silence,
        `The agent wrote nothing for ${deadlines.silenceMs} ms in the middle of a turn.`,
        facts,
      );
    case "silent_tool":
      return new HostError(
        "silent",
        `The agent wrote nothing for ${deadlines.toolMs} ms while a tool ran.`,
        facts,
      );
    case "frozen":
      return new HostError(
        "silent",
        `The agent did not answer for ${2 * Math.min(deadlines.silenceMs, deadlines.requestMs)} ms while a tool ran: it is frozen.`,
        facts,
      );
    case "no_exit":
      return undefined;
  }
}
