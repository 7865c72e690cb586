import type { ControlCancelRequest, ControlRequest, ControlResponse } from "./control/envelope.ts";

/** What goes between the two ends beside messages. */
export type Control = ControlRequest | ControlResponse | ControlCancelRequest;

/**
 * Keeps requests and answers behind the messages that came before them: whoever handles one finds that the consumer has taken
 * what it was waiting for. One turn of the event loop is enough for that; a consumer that is busy with something else is not
 * waited for.
 */
export class HeldControls<In> {
  /** Whether messages have come that their consumer had no time to take. */
  #hasFresh = false;
  #held: In[] = [];

  /** Whether something is kept: nothing more may be read then. */
  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  /** Keeps what has to wait; false for what may pass. */
  keeps(message: In): boolean {
    if (!this.isHolding && !isControl(message)) {
      this.#hasFresh = true;
      return false;
    }
    const isKept = this.isHolding || this.#hasFresh;
    if (isKept) this.#held.push(message);
    return isKept;
  }

  /** Passes on what was kept, when its time has come. */
  async release(pass: (message: In) => void): Promise<void> {
    while (this.isHolding) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#hasFresh = false;
      for (const message of this.#held.splice(0)) pass(message);
    }
  }
}

function isControl(message: unknown): boolean {
  const { type } = message as Control;
  return type === "control_request" || type === "control_response" || type === "control_cancel_request";
}
