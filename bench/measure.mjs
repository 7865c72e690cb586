/** Thrown if a figure can't be measured here; it then counts as missing, not as met. */
export class NotMeasured extends Error {}

/**
 * Runs two functions alternately, so that the machine's other load affects both equally, and compares their medians by a clock in
 * milliseconds.
 */
export async function compare(rounds, ours, reference, clock = () => performance.now()) {
  const samples = await alternate(rounds, timed(ours, clock), timed(reference, clock));
  return { ours: summary(samples.ours), reference: summary(samples.reference) };
}

/** The values returned by two functions that are called alternately, after one call of each that does not count. */
export async function alternate(rounds, ours, reference) {
  const samples = { ours: [], reference: [] };
  await ours();
  await reference();
  for (let round = 0; round < rounds; round++) {
    // The order alternates too: the second function finds warmer caches and a fuller heap.
    const order = round % 2 === 0 ? ["ours", "reference"] : ["reference", "ours"];
    for (const who of order) samples[who].push(await (who === "ours" ? ours : reference)());
  }
  return samples;
}

/** The median of values, their range, and their number. */
export function summary(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    median: sorted[Math.floor(sorted.length / 2)],
    min: sorted[0],
    max: sorted.at(-1),
    samples: sorted.length,
  };
}

/** Converts the durations of `count` operations, in milliseconds, to a summary of operations per second. */
export const perSecond = ({ median, min, max, samples }, count) => ({
  median: (count / median) * 1000,
  min: (count / max) * 1000,
  max: (count / min) * 1000,
  samples,
});

/** The CPU time of this process: for work during which another process may have to wait for a core. */
export function cpuClock() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs a function when its result is first requested, since several figures may share one measurement. */
export function once(run) {
  let result;
  return () => {
    result ??= run();
    return result;
  };
}

const timed = (run, clock) => async () => {
  globalThis.gc?.();
  const start = clock();
  await run();
  return clock() - start;
};
