import type { Deadlines } from "../deadlines.ts";
import { HostError, type ProcessFacts } from "../errors.ts";
import type { OpenWork } from "./open-work.ts";
import { type Probe, ToolProbe } from "./tool-probe.ts";
import { type SilenceLimit, Watchdog } from "./watchdog.ts";

/** Watches over how long an agent says nothing, with what has passed so far in mind. */
export class SilenceWatch {
  readonly #watchdog: Watchdog<Silence>;
  readonly #probe: ToolProbe | undefined;
  #wasAsked = false;
  #wasHeard = false;
  #inputEnded = false;

  /** `probe` asks the agent whether it is there, where it is known to answer. */
  constructor(
    work: () => OpenWork,
    deadlines: Deadlines,
    onLate: (silence: Silence) => void,
    probe: Probe | undefined,
  ) {
    if (probe) this.#probe = new ToolProbe(work, deadlines, probe, () => onLate("frozen"));
    const patience = () => {
      const [wasAsked, wasHeard, inputEnded] = [this.#wasAsked, this.#wasHeard, this.#inputEnded];
      return patienceIn({ work: work(), wasAsked, wasHeard, inputEnded }, deadlines);
    };
    this.#watchdog = new Watchdog(patience, onLate);
  }

  /** The agent was asked something. */
  asked(): void {
    if (this.#wasAsked) return;
    this.#wasAsked = true;
    this.#watchdog.changed();
  }

  /** The agent has said something; called for every message. */
  heard(isAnswer: boolean): void {
    // An answer to a probe tells that it is there, not that its tool gets on.
    if (isAnswer && this.#probe?.isAsking) return;
    this.#watchdog.heard();
    this.#probe?.heard();
    if (this.#wasHeard) return;
    this.#wasHeard = true;
    this.#watchdog.changed();
  }

  /** Nothing more can be said to the agent. */
  inputEnded(): void {
    this.#inputEnded = true;
    this.#watchdog.changed();
  }

  /** The open work has changed. */
  changed(): void {
    this.#watchdog.changed();
    this.#probe?.changed();
  }

  /** What seemed silence was none. */
  again(): void {
    this.#watchdog.again();
    this.#probe?.again();
  }

  stop(): void {
    this.#watchdog.stop();
    this.#probe?.stop();
  }
}

/** What it means when an agent is silent for too long. */
export type Silence = "no_first_line" | "silent" | "silent_tool" | "frozen" | "no_exit";

/** What a silence is judged by. */
interface Situation {
  readonly work: OpenWork;
  readonly wasAsked: boolean;
  readonly wasHeard: boolean;
  readonly inputEnded: boolean;
}

/** How long an agent may be silent as things stand; undefined for as long as it likes. */
function patienceIn(situation: Situation, deadlines: Deadlines): SilenceLimit<Silence> | undefined {
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
