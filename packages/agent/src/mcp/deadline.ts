import { MAX_TIMER_MS } from "@agentwire/protocol/support";

/** Says that something took longer than it was given. */
export class OutOfTime extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
  }
}

/**
 * Runs `work` with a signal of its own, which fires when `signal` does or when the time is up; what `work` then throws is
 * replaced by the reason. The own signal matters: the MCP client never stops listening to the one it is given, and would
 * cancel calls that have long been answered.
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
