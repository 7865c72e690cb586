import type { JsonObject } from "@agentwire/protocol";
import { describePattern, fits, type Pattern } from "./pattern.ts";

/** How to wait for a line. */
export interface WaitOptions {
  readonly withinMs?: number;
  /** Also accepts a line before the last one that ended a wait. */
  readonly fromStart?: boolean;
  /** A description of the expected line. */
  readonly what?: string;
}

interface Waiter {
  readonly pattern: Pattern;
  readonly what: string;
  readonly resolve: (line: JsonObject) => void;
  readonly reject: (reason: Error) => void;
  readonly timer: NodeJS.Timeout;
  next: number;
}

const DEFAULT_WAIT_MS = 15_000;

/** The lines of an agent, and the waits for them. Every wait ends: with its line, its deadline, or the end of the agent. */
export class OutputWatch {
  readonly #lines: JsonObject[] = [];
  readonly #waiters = new Set<Waiter>();
  /** The position after the last line that was waited for. */
  #cursor = 0;
  #ended: string | undefined;

  /** All lines so far. */
  get lines(): readonly JsonObject[] {
    return this.#lines;
  }

  /** Adds the next line of the agent. */
  push(line: JsonObject): void {
    this.#lines.push(line);
    for (const waiter of this.#waiters) this.#serve(waiter);
  }

  /** Resolves with the next matching line after the last one that ended a wait. */
  until(pattern: Pattern, options: WaitOptions = {}): Promise<JsonObject> {
    const { withinMs = DEFAULT_WAIT_MS, fromStart = false, what = describePattern(pattern) } = options;
    return new Promise((resolve, reject) => {
      const expire = () => this.#fail(waiter, `${withinMs / 1000} s passed without ${what}`);
      const timer = setTimeout(expire, withinMs);
      const waiter: Waiter = { pattern, what, resolve, reject, timer, next: fromStart ? 0 : this.#cursor };
      this.#waiters.add(waiter);
      this.#serve(waiter);
      if (this.#ended !== undefined) this.#fail(waiter, `${this.#ended} before ${what}`);
    });
  }

  /** Ends all waits with a reason: no more lines will come. */
  end(why: string): void {
    this.#ended = why;
    for (const waiter of this.#waiters) this.#fail(waiter, `${why} before ${waiter.what}`);
  }

  /** Accepts waits again after the agent was restarted. */
  reopen(): void {
    this.#ended = undefined;
  }

  #serve(waiter: Waiter): void {
    for (; waiter.next < this.#lines.length; waiter.next++) {
      const line = this.#lines[waiter.next];
      if (line === undefined || !fits(waiter.pattern, line)) continue;
      this.#settle(waiter);
      this.#cursor = waiter.next + 1;
      waiter.resolve(line);
      return;
    }
  }

  #fail(waiter: Waiter, message: string): void {
    if (this.#settle(waiter)) waiter.reject(new Error(message));
  }

  #settle(waiter: Waiter): boolean {
    clearTimeout(waiter.timer);
    return this.#waiters.delete(waiter);
  }
}
