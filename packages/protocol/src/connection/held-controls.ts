import type { ControlCancelRequest, ControlRequest, ControlResponse } from "../control/envelope.ts";

/** What passes between the two ends besides messages. */
export type Control = ControlRequest | ControlResponse | ControlCancelRequest;

/** A message with the line that carried it, if any. */
interface Arrival<In> {
  readonly message: In;
  readonly line: string | undefined;
}

/**
 * Keeps requests and answers behind the messages that arrived before them, so that a handler can rely on the
 * consumer having taken those. One turn of the event loop is enough for that; a consumer that is busy with
 * something else is not waited for.
 */
export class HeldControls<In> {
  /** Whether messages have arrived that their consumer had no time to take. */
  #hasFresh = false;
  #held: Arrival<In>[] = [];

  /** Whether something is held; nothing more may be read in the meantime. */
  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  /** Holds a message that has to wait; returns false for one that may pass. */
  keeps(message: In, line: string | undefined): boolean {
    if (!this.isHolding && !isControl(message)) {
      this.#hasFresh = true;
      return false;
    }
    const isKept = this.isHolding || this.#hasFresh;
    if (isKept) this.#held.push({ message, line });
    return isKept;
  }

  /** Passes on what was held, once its time has come. */
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
