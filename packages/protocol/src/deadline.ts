/** The longest time that a timer can wait; a longer one would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** Calls back after a time, `MAX_TIMER_MS` at most; returns a function that prevents it. */
export function after(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, Math.min(ms, MAX_TIMER_MS));
  return () => clearTimeout(timer);
}

/** Waits for work to end, at most this long; false if it was late, in which case its signal has been aborted. */
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
