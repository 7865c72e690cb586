/** How long a question stays open. */
export interface Timeouts {
  /** In total, while a client is watching; undefined for no limit. */
  readonly attendedMs: number | undefined;
  /** Without interruption, while no client is watching. */
  readonly unattendedMs: number;
}

/**
 * The time that one question has left. The attended time is cumulative, so it continues when a client returns; the
 * unattended time starts again whenever the last client leaves.
 */
export class QuestionTimer {
  readonly #timeouts: Timeouts;
  #attendedMs = 0;
  #isAttended: boolean;
  #since: number;
  /** When it expires in any case. */
  readonly #latest: number;

  constructor(timeouts: Timeouts, isAttended: boolean, now: number, latest = Number.POSITIVE_INFINITY) {
    // A copy, since a question keeps its timeouts even if the settings change.
    this.#timeouts = { ...timeouts };
    this.#isAttended = isAttended;
    this.#since = now;
    this.#latest = latest;
  }

  /** When it expires if no client connects or leaves; infinite if never. */
  get expiresAt(): number {
    const { attendedMs = Number.POSITIVE_INFINITY, unattendedMs } = this.#timeouts;
    const left = this.#isAttended ? attendedMs - this.#attendedMs : unattendedMs;
    return Math.min(this.#since + left, this.#latest);
  }

  /** Call this when the first client connects or the last one leaves. */
  attended(isAttended: boolean, now: number): void {
    if (isAttended === this.#isAttended) return;
    if (this.#isAttended) this.#attendedMs += now - this.#since;
    this.#isAttended = isAttended;
    this.#since = now;
  }
}
