import { MAX_TIMER_MS } from "@agentwire/protocol/support";

/** Thrown when something exceeded its deadline. */
export class OutOfTime extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
  }
}

/**
 * Runs `work` with its own signal, which fires when `signal` does or when the time is up; any error that `work` then throws is
 * replaced by the reason. The separate signal matters: the MCP client never removes its listener from the signal it gets, and
 * would cancel calls that were answered long ago.
 */
export async function withTimeout<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  const onAbort = (): void => own.abort(signal.reason);
  const timer = setTimeout(() => own.abort(new OutOfTime(ms)), Math.min(ms, MAX_TIMER_MS));
  signal.addEventListener("abort", onAbort);
  try {
    return await work(own.signal);
  } catch (error) {
    throw own.signal.aborted ? own.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
