/** Runs two functions turn by turn, so that whatever else the machine does falls on both, and compares their medians. */
export async function compare(rounds, ours, reference) {
  const times = { ours: [], reference: [] };
  await ours();
  await reference();
  for (let round = 0; round < rounds; round++) {
    // Who goes first changes too: the second one finds warmer caches and a fuller heap.
    const order = round % 2 === 0 ? ["ours", "reference"] : ["reference", "ours"];
    for (const who of order) {
      globalThis.gc?.();
      const start = performance.now();
      await (who === "ours" ? ours : reference)();
      times[who].push(performance.now() - start);
    }
  }
  return { ours: summary(times.ours), reference: summary(times.reference) };
}

function summary(times) {
  const sorted = [...times].sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)], min: sorted[0], max: sorted.at(-1) };
}
