/** Says why a figure can't be measured here; it counts as missing, not as met. */
export class NotMeasured extends Error {}

/**
 * Runs two functions turn by turn, so that whatever else the machine does falls on both, and compares their medians by a clock in
 * milliseconds.
 */
export async function compare(rounds, ours, reference, clock = () => performance.now()) {
  const samples = await alternate(rounds, timed(ours, clock), timed(reference, clock));
  return { ours: summary(samples.ours), reference: summary(samples.reference) };
}

/** The values that two functions give when they are called turn by turn, after one call of each that does not count. */
export async function alternate(rounds, ours, reference) {
  const samples = { ours: [], reference: [] };
  await ours();
  await reference();
  for (let round = 0; round < rounds; round++) {
    // Who goes first changes too: the second one finds warmer caches and a fuller heap.
    const order = round % 2 === 0 ? ["ours", "reference"] : ["reference", "ours"];
    for (const who of order) samples[who].push(await (who === "ours" ? ours : reference)());
  }
  return samples;
}

/** The median of some values, how far they spread, and how many there are. */
export function summary(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    median: sorted[Math.floor(sorted.length / 2)],
    min: sorted[0],
    max: sorted.at(-1),
    samples: sorted.length,
  };
}

/** The summary of how long `count` things took, in milliseconds, as how many of them there were in a second. */
export const perSecond = ({ median, min, max, samples }, count) => ({
  median: (count / median) * 1000,
  min: (count / max) * 1000,
  max: (count / min) * 1000,
  samples,
});

/** A clock that runs while this process does: for work beside which another process may have to wait for its turn. */
export function cpuClock() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs a function when it is first asked for what it gives: several figures may come from one measurement. */
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
