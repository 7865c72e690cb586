import type { Log } from "@agentwire/protocol/support";
import type { Boundary } from "../boundary.ts";
import type { Retention } from "./retention.ts";

/** Not at startup, which has more urgent work; but soon enough for a daemon that is restarted every day. */
const FIRST_MS = 60_000;
/** Shorter than a laptop is awake between two sleeps, each of which changes its clock. */
const RECHECK_MS = 600_000;

/** Purges old data from time to time, in the background. */
export class Housekeeping {
  readonly #retention: Retention;
  readonly #log: Log;
  readonly #guard: Boundary;
  readonly #everyMs: number;
  readonly #stopping = new AbortController();
  readonly #clock = new ClockWatch(Date.now(), performance.now());
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(retention: Retention, log: Log, guard: Boundary, everyMs: number) {
    this.#retention = retention;
    this.#log = log;
    this.#guard = guard;
    this.#everyMs = everyMs;
    this.#later(Math.min(everyMs, FIRST_MS));
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stopping.abort();
    await this.#running;
  }

  #later(ms: number): void {
    if (this.#stopping.signal.aborted) return;
    const begin = () => {
      this.#running = this.#run().then((nextMs) => this.#later(nextMs));
      return this.#running;
    };
    this.#timer = setTimeout(this.#guard(begin), ms).unref();
  }

  /** Returns how long to wait before the next time. */
  async #run(): Promise<number> {
    // Purged data can't be restored: after the clock was changed, it is trusted only from the next run on.
    if (this.#clock.hasJumped(Date.now(), performance.now())) {
      this.#log.warn("the clock jumped by more than an hour; pruning is postponed to the next time");
      return Math.min(this.#everyMs, RECHECK_MS);
    }
    try {
      await this.#retention.run(Date.now(), this.#stopping.signal);
    } catch (error) {
      this.#log.warn("old events could not be pruned; this is retried later", { error });
    }
    return this.#everyMs;
  }
}

/** A larger difference between the clock and the elapsed time means that the clock was set, or the machine has slept. */
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
