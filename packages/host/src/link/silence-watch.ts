import type { Deadlines } from "./deadlines.ts";
import type { OpenWork } from "./open-work.ts";
import { patienceIn, type Silence } from "./silence.ts";
import { Watchdog } from "./watchdog.ts";

/** Watches over how long an agent says nothing, with what has passed so far in mind. */
export class SilenceWatch {
  readonly #watchdog: Watchdog<Silence>;
  #wasAsked = false;
  #wasHeard = false;
  #inputEnded = false;

  constructor(work: () => OpenWork, deadlines: Deadlines, onLate: (silence: Silence) => void) {
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
  heard(): void {
    this.#watchdog.heard();
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
  }

  /** What seemed silence was none. */
  again(): void {
    this.#watchdog.again();
  }

  stop(): void {
    this.#watchdog.stop();
  }
}
