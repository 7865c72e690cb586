/** The outcome of some work, or another value as soon as a signal aborts. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal, otherwise: () => T): Promise<T> {
  let giveUp = () => {};
  const aborted = new Promise<T>((resolve) => {
    giveUp = () => resolve(otherwise());
  });
  signal.addEventListener("abort", giveUp);
  try {
    return await (signal.aborted ? otherwise() : Promise.race([work, aborted]));
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}
