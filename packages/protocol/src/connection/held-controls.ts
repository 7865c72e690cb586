import type { ControlCancelRequest, ControlRequest, ControlResponse } from "../control/envelope.ts";

/** What goes between the two ends beside messages. */
export type Control = ControlRequest | ControlResponse | ControlCancelRequest;

/** A message with the line it came in, if it came in one. */
interface Arrival<In> {
  readonly message: In;
  readonly line: string | undefined;
}

/**
 * Keeps requests and answers behind the messages that came before them: its handler finds that the consumer has taken
 * what it was waiting for. One turn of the event loop is enough for that; a consumer that is busy with something else is not
 * waited for.
 */
export class HeldControls<In> {
  /** Whether messages have come that their consumer had no time to take. */
  #hasFresh = false;
  #held: Arrival<In>[] = [];

  /** Whether something is kept: nothing more may be read then. */
  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  /** Keeps what has to wait; false for what may pass. */
  keeps(message: In, line: string | undefined): boolean {
    if (!this.isHolding && !isControl(message)) {
      this.#hasFresh = true;
      return false;
    }
    const isKept = this.isHolding || this.#hasFresh;
    if (isKept) this.#held.push({ message, line });
    return isKept;
  }

  /** Passes on what was kept, when its time has come. */
  async release(pass: (arrival: Arrival<In>) => void): Promise<void> {
    while (this.isHolding) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#hasFresh = false;
      for (const arrival of this.#held.splice(0)) pass(arrival);
    }
  }
}

function isControl(message: unknown): boolean {
  const { type } = message as Control;
  return type === "control_request" || type === "control_response" || type === "control_cancel_request";
}
