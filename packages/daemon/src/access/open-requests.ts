import { MAX_TIMER_MS } from "@agentwire/protocol/support";
import { endRequest } from "../http/end-request.ts";
import type { Handler } from "../http/front.ts";

/** How many requests (mostly streams) one client may have open. */
const MAX_OPEN = 1000;

/** The open requests by token or certificate, so that they end when it becomes invalid. */
export class OpenRequests {
  /** The functions that end the open requests of each key. */
  readonly #open = new Map<string, Set<() => void>>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Tracks a request until it closes, and ends it at `untilMs`; false if there are too many. */
  begin(key: string, [request, response]: Parameters<Handler>, untilMs: number | null): boolean {
    const end = () => endRequest(request);
    const over = this.hold(key, end);
    if (!over) return false;
    const timer =
      untilMs === null ? undefined : setTimeout(end, Math.min(untilMs - this.#now(), MAX_TIMER_MS)).unref();
    response.once("close", () => {
      clearTimeout(timer);
      over();
    });
    return true;
  }

  /** Counts something that stays open like a request, until the returned function is called; undefined if there are too many. */
  hold(key: string, end: () => void): (() => void) | undefined {
    const open = this.#open.get(key) ?? new Set();
    if (open.size >= MAX_OPEN) return undefined;
    this.#open.set(key, open.add(end));
    return () => {
      open.delete(end);
      if (open.size === 0 && this.#open.get(key) === open) this.#open.delete(key);
    };
  }

  /** Ends all requests of a key. */
  endAll(key: string): void {
    for (const end of this.#open.get(key) ?? []) end();
  }
}
