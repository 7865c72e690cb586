import type { RunEnding } from "./agent-run.ts";
import { type Crash, judgeCrash } from "./crash.ts";

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
const MAX_CRASHES = 5;
const WINDOW_MS = 60_000;

/** Decides how soon an agent that died is started again, and when to give up on it. */
export class RestartPolicy {
  #crashes: number[] = [];
  #inARow = 0;
  /** Starts in a row that did not come to taking prompts: one that hangs takes so long that no window holds five of them. */
  #failedStarts = 0;

  /** How many times it has died since a turn last came to its end. */
  get count(): number {
    return this.#inARow;
  }

  /** How long to wait before the next start; undefined when there were too many of them. */
  crashed(now: number, cameUp: boolean): number | undefined {
    this.#crashes = [...this.#crashes.filter((at) => at > now - WINDOW_MS), now];
    this.#failedStarts = cameUp ? 0 : this.#failedStarts + 1;
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** this.#inARow++, MAX_DELAY_MS);
    return Math.max(this.#crashes.length, this.#failedStarts) >= MAX_CRASHES ? undefined : delayMs;
  }

  /** A turn has come to its end: whatever was wrong is over. */
  succeeded(): void {
    this.#inARow = 0;
    this.#failedStarts = 0;
  }

  /** Somebody wants to try again. */
  forget(): void {
    this.#crashes = [];
    this.succeeded();
  }
}

/** How the process of a session comes back after one has died: when, how often, and whether it does though nothing waits for it. */
export class Restarter {
  readonly #policy = new RestartPolicy();
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;

  /** Whether one died in the middle of a turn, and the next is not up yet. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** Whether the next start is being waited for. */
  get isBackingOff(): boolean {
    return this.#timer !== undefined;
  }

  /** How many have died since a turn last came to its end. */
  get deaths(): number {
    return this.#policy.count;
  }

  /** One has died; one that was being started because of such a death is due again. */
  judge(error: Error, ending: RunEnding, wasInTurn: boolean): Crash {
    this.#isDue ||= wasInTurn;
    return judgeCrash(error, ending, this.#policy);
  }

  /** Acts after a while, unless it is stopped before. */
  backOff(delayMs: number, act: () => void): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      act();
    }, delayMs);
  }

  /** No start is waited for any longer. */
  cancelDelay(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** It is back, or given up. */
  over(): void {
    this.cancelDelay();
    this.#isDue = false;
  }

  /** A turn has come to its end. */
  succeeded(): void {
    this.#policy.succeeded();
  }

  /** Somebody wants it tried again, however often it failed. */
  forget(): void {
    this.#policy.forget();
  }
}
