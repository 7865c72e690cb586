/** A clock that differs by more from the time that has passed was set, or the machine has slept. */
const MAX_JUMP_MS = 3_600_000;

/** Detects that the clock was set; both times are in milliseconds, the second by a monotonic clock. */
export class ClockWatch {
  #aheadMs: number;

  constructor(clockMs: number, passedMs: number) {
    this.#aheadMs = clockMs - passedMs;
  }

  /** Whether the clock was set since the last look, in either direction. */
  hasJumped(clockMs: number, passedMs: number): boolean {
    const aheadMs = clockMs - passedMs;
    const hasJumped = Math.abs(aheadMs - this.#aheadMs) > MAX_JUMP_MS;
    this.#aheadMs = aheadMs;
    return hasJumped;
  }
}
