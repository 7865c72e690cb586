import type { Deadlines } from "./deadlines.ts";
import type { OpenWork } from "./open-work.ts";
import { patienceIn, type Silence } from "./silence.ts";
import { type Probe, ToolProbe } from "./tool-probe.ts";
import { Watchdog } from "./watchdog.ts";

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
