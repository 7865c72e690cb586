import type { Deadlines } from "../deadlines.ts";
import { HostError, type ProcessFacts } from "../errors.ts";
import type { OpenWork } from "./open-work.ts";
import { type Probe, ToolProbe } from "./tool-probe.ts";
import { type SilenceLimit, Watchdog } from "./watchdog.ts";

/** Watches how long an agent stays silent, judged by what is open at the moment. */
export class SilenceWatch {
  readonly #watchdog: Watchdog<Silence>;
  readonly #probe: ToolProbe | undefined;
  #wasAsked = false;
  #hasReceived = false;
  #inputEnded = false;

  /** `probe` checks whether the agent still responds, if its version is known to answer. */
  constructor(
    work: () => OpenWork,
    deadlines: Deadlines,
    onLate: (silence: Silence) => void,
    probe: Probe | undefined,
  ) {
    if (probe) this.#probe = new ToolProbe(work, deadlines, probe, () => onLate("frozen"));
    const patience = () => {
      const [wasAsked, hasReceived, inputEnded] = [this.#wasAsked, this.#hasReceived, this.#inputEnded];
      return patienceIn({ work: work(), wasAsked, hasReceived, inputEnded }, deadlines);
    };
    this.#watchdog = new Watchdog(patience, onLate);
  }

  /** Records that the agent was sent something. */
  asked(): void {
    if (this.#wasAsked) return;
    this.#wasAsked = true;
    this.#watchdog.changed();
  }

  /** Records that the agent has sent something; called for every message. */
  received(isAnswer: boolean): void {
    // An answer to a probe proves that the agent is alive, not that its tool makes progress.
    if (isAnswer && this.#probe?.isAsking) return;
    this.#watchdog.received();
    this.#probe?.received();
    if (this.#hasReceived) return;
    this.#hasReceived = true;
    this.#watchdog.changed();
  }

  /** Nothing more can be sent to the agent. */
  inputEnded(): void {
    this.#inputEnded = true;
    this.#watchdog.changed();
  }

  changed(): void {
    this.#watchdog.changed();
    this.#probe?.changed();
  }

  /** Starts all limits over, for a silence that turned out to be none. */
  restart(): void {
    this.#watchdog.restart();
    this.#probe?.restart();
  }

  stop(): void {
    this.#watchdog.stop();
    this.#probe?.stop();
  }
}

/** What it means that an agent is silent for too long. */
export type Silence = "no_first_line" | "silent" | "silent_tool" | "frozen" | "no_exit";

/** The facts by which a silence is judged. */
interface Situation {
  readonly work: OpenWork;
  readonly wasAsked: boolean;
  readonly hasReceived: boolean;
  readonly inputEnded: boolean;
}

/** How long an agent may be silent in this situation; undefined means without limit. */
function patienceIn(situation: Situation, deadlines: Deadlines): SilenceLimit<Silence> | undefined {
  const { work, wasAsked, hasReceived, inputEnded } = situation;
  const { firstLineMs, silenceMs, toolMs, backgroundMs, exitMs } = deadlines;
  if (wasAsked && !hasReceived) return { ms: firstLineMs, meaning: "no_first_line" };
  if (work.isAgentsTurn) return { ms: silenceMs, meaning: "silent" };
  if (work.isToolsTurn) return { ms: toolMs, meaning: "silent_tool" };
  if (inputEnded && work.isResting)
    return { ms: exitMs + (work.hasTasks ? backgroundMs : 0), meaning: "no_exit" };
  return undefined;
}

/** The error for a silence; undefined for an agent that has finished its work and merely did not exit. */
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
