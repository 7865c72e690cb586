/** How long a question waits for a person. */
export interface Timeouts {
  /** In all, while a client is connected. */
  readonly attendedMs: number;
  /** At a stretch, while no client is. */
  readonly unattendedMs: number;
}

/**
 * The time that one question has left. Somebody who comes back finds what was left when they went; each time the last one
 * goes, the long wait starts again.
 */
export class QuestionTimer {
  readonly #timeouts: Timeouts;
  #attendedMs = 0;
  #isAttended: boolean;
  #since: number;

  constructor(timeouts: Timeouts, isAttended: boolean, now: number) {
    // What a question was told holds for it, whatever is changed later.
    this.#timeouts = { ...timeouts };
    this.#isAttended = isAttended;
    this.#since = now;
  }

  /** When it ends, if no client connects or disconnects. */
  get expiresAt(): number {
    const { attendedMs, unattendedMs } = this.#timeouts;
    return this.#since + (this.#isAttended ? attendedMs - this.#attendedMs : unattendedMs);
  }

  /** The first client has come, or the last one has gone. */
  attended(isAttended: boolean, now: number): void {
    if (isAttended === this.#isAttended) return;
    if (this.#isAttended) this.#attendedMs += now - this.#since;
    this.#isAttended = isAttended;
    this.#since = now;
  }
}
