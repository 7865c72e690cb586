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
  /** Starts in a row that never took prompts: a hanging start takes so long that no window holds five of them. */
  #failedStarts = 0;

  /** How many times it has died since the last finished turn. */
  get count(): number {
    return this.#inARow;
  }

  /** How long to wait before the next start; undefined when there were too many. */
  crashed(now: number, cameUp: boolean): number | undefined {
    this.#crashes = [...this.#crashes.filter((at) => at > now - WINDOW_MS), now];
    this.#failedStarts = cameUp ? 0 : this.#failedStarts + 1;
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** this.#inARow++, MAX_DELAY_MS);
    return Math.max(this.#crashes.length, this.#failedStarts) >= MAX_CRASHES ? undefined : delayMs;
  }

  /** A turn has finished: the agent works again. */
  succeeded(): void {
    this.#inARow = 0;
    this.#failedStarts = 0;
  }

  /** Starts counting from zero, on request. */
  forget(): void {
    this.#crashes = [];
    this.succeeded();
  }
}

/** How the process of a session is restarted after a death: when, how often, and whether even without a queued prompt. */
export class Restarter {
  readonly #policy = new RestartPolicy();
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;

  /** Whether one died during a turn and its replacement is not ready yet. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** Whether the next start is scheduled. */
  get isBackingOff(): boolean {
    return this.#timer !== undefined;
  }

  /** How many have died since the last finished turn. */
  get deaths(): number {
    return this.#policy.count;
  }

  /** One has died; a replacement that died while starting is due again. */
  judge(error: Error, ending: RunEnding, wasInTurn: boolean): Crash {
    this.#isDue ||= wasInTurn;
    return judgeCrash(error, ending, this.#policy);
  }

  /** Schedules the next start. */
  backOff(delayMs: number, act: () => void): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      act();
    }, delayMs);
  }

  /** Cancels the scheduled start. */
  cancelDelay(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The agent is back, or given up on. */
  over(): void {
    this.cancelDelay();
    this.#isDue = false;
  }

  /** A turn has finished. */
  succeeded(): void {
    this.#policy.succeeded();
  }

  /** Tries again on request, however often it has failed. */
  forget(): void {
    this.#policy.forget();
  }
}
