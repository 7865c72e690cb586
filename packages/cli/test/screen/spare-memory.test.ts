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
    // Created after the burst, as V8 may collect garbage during the burst anyway.
    const left = new WeakRef({ text: "garbage" });
    spare.postpone();
    // V8 would do this itself after 8 s of idling.
    return vi
      .waitFor(() => expect(left.deref() === undefined).toBe(true), { timeout: 4000, interval: 300 })
      .then(
        () => true,
        () => false,
      );
  };
  // The process may return memory of earlier tests after a burst, and then be too small again for a collection.
  for (let tries = 1; !(await isCollectedAfterBurst()); tries++) expect(tries).toBeLessThan(TRIES);
  expect(burst.length).toBeGreaterThan(1);
}, 30_000);
