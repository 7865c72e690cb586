import { expect, onTestFinished, test, vi } from "vitest";
import { SpareMemory } from "../../src/screen/spare-memory.ts";

const CHUNK_BYTES = 32 * 1024 * 1024;
const TRIES = 5;

test("garbage is collected when nothing is drawn after a burst", async () => {
  const spare = new SpareMemory();
  onTestFinished(() => spare.stop());
  const burst: Buffer[] = [];
  const isCollectedAfterBurst = async () => {
    // Grows on every try: an earlier collection raises the size that the next one is measured from.
    const before = process.memoryUsage.rss();
    while (process.memoryUsage.rss() < before + 2 * CHUNK_BYTES) burst.push(Buffer.alloc(CHUNK_BYTES, 1));
    // Made after the burst: what the burst itself makes V8 collect is not meant.
    const left = new WeakRef({ text: "garbage" });
    spare.postpone();
    // V8 would do it itself after 8 s without work.
    return vi
      .waitFor(() => expect(left.deref() === undefined).toBe(true), { timeout: 4000, interval: 300 })
      .then(
        () => true,
        () => false,
      );
  };
  // The process may give memory of earlier tests back after a burst, and be too small again for a collection to be worth it.
  for (let tries = 1; !(await isCollectedAfterBurst()); tries++) expect(tries).toBeLessThan(TRIES);
  expect(burst.length).toBeGreaterThan(1);
}, 30_000);
