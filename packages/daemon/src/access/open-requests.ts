import { MAX_TIMER_MS } from "@agentwire/protocol";
import { endRequest } from "../http/end-request.ts";
import type { Handler } from "../http/front.ts";

/** How many requests of one client may be open, streams mostly. */
const MAX_OPEN = 1000;

/** The open requests of clients that came by a token or a certificate, so that they end when it does. */
export class OpenRequests {
  readonly #open = new Map<string, Set<Parameters<Handler>[0]>>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes a request until it is over; false if there are too many. It is ended when its time has come. */
  begin(key: string, [request, response]: Parameters<Handler>, untilMs: number | null): boolean {
    const open = this.#open.get(key) ?? new Set();
    if (open.size >= MAX_OPEN) return false;
    this.#open.set(key, open.add(request));
    const timer =
      untilMs === null
        ? undefined
        : setTimeout(() => endRequest(request), Math.min(untilMs - this.#now(), MAX_TIMER_MS)).unref();
    response.once("close", () => {
      clearTimeout(timer);
      open.delete(request);
      if (open.size === 0 && this.#open.get(key) === open) this.#open.delete(key);
    });
    return true;
  }

  /** Ends all requests of one. */
  endAll(key: string): void {
    for (const request of this.#open.get(key) ?? []) endRequest(request);
  }
}
