/** The longest time that a timer can wait; longer ones would end at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** Calls back after a time, `MAX_TIMER_MS` at most; returns how to prevent it. */
export function after(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, Math.min(ms, MAX_TIMER_MS));
  return () => clearTimeout(timer);
}

/** Waits for work to end, at most this long; false if it was late, and then its signal has fired. */
export async function within(ms: number, work: (late: AbortSignal) => Promise<void>): Promise<boolean> {
  const deadline = new AbortController();
  const late = new Promise<void>((resolve) => {
    deadline.signal.addEventListener("abort", () => resolve());
  });
  const cancel = after(ms, () => deadline.abort());
  try {
    await Promise.race([work(deadline.signal), late]);
  } finally {
    cancel();
  }
  return !deadline.signal.aborted;
}
