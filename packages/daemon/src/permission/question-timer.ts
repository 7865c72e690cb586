/** How long a question waits for a person. */
export interface Timeouts {
  /** In all, while a client watches; undefined for as long as one does. */
  readonly attendedMs: number | undefined;
  /** At a stretch, while no client is. */
  readonly unattendedMs: number;
}

/**
 * The time that one question has left. A person who comes back finds the time that was left; each time the last one
 * goes, the long wait starts again.
 */
export class QuestionTimer {
  readonly #timeouts: Timeouts;
  #attendedMs = 0;
  #isAttended: boolean;
  #since: number;
  /** When it ends in any case. */
  readonly #latest: number;

  constructor(timeouts: Timeouts, isAttended: boolean, now: number, latest = Number.POSITIVE_INFINITY) {
    // A question keeps its timeouts, even if the settings change.
    this.#timeouts = { ...timeouts };
    this.#isAttended = isAttended;
    this.#since = now;
    this.#latest = latest;
  }

  /** When it ends, if no client connects or disconnects; infinite if it does not. */
  get expiresAt(): number {
    const { attendedMs = Number.POSITIVE_INFINITY, unattendedMs } = this.#timeouts;
    const left = this.#isAttended ? attendedMs - this.#attendedMs : unattendedMs;
    return Math.min(this.#since + left, this.#latest);
  }

  /** The first client has connected, or the last one has left. */
  attended(isAttended: boolean, now: number): void {
    if (isAttended === this.#isAttended) return;
    if (this.#isAttended) this.#attendedMs += now - this.#since;
    this.#isAttended = isAttended;
    this.#since = now;
  }
}
