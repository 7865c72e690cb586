/** Settles like `work`; rejects with the signal's reason if `work` is still pending `graceMs` after the signal fired. */
export async function withGrace<T>(work: Promise<T>, signal: AbortSignal, graceMs = 0): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let giveUp = () => {};
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => {
      timer = setTimeout(() => reject(signal.reason), graceMs);
    };
  });
  if (signal.aborted) giveUp();
  else signal.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}

/** Settles like `work`, or resolves with another value as soon as the signal aborts. */
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
