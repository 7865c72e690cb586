import type { RunEnding } from "./agent-run.ts";
import { type Crash, judgeCrash } from "./crash.ts";
import { Restarts } from "./restarts.ts";

/** How the process of a session comes back after one has died: when, how often, and whether it does though nothing waits for it. */
export class Comeback {
  readonly #restarts = new Restarts();
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
    return this.#restarts.count;
  }

  /** One has died; one that was being started because of such a death is due again. */
  judge(error: Error, ending: RunEnding, wasInTurn: boolean): Crash {
    this.#isDue ||= wasInTurn;
    return judgeCrash(error, ending, this.#restarts);
  }

  /** Acts after a while, unless it is stopped before. */
  backOff(delayMs: number, act: () => void): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      act();
    }, delayMs);
  }

  /** No start is waited for any longer. */
  hurry(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** It is back, or given up. */
  over(): void {
    this.hurry();
    this.#isDue = false;
  }

  /** A turn has come to its end. */
  succeeded(): void {
    this.#restarts.succeeded();
  }

  /** Somebody wants it tried again, however often it failed. */
  forget(): void {
    this.#restarts.forget();
  }
}
