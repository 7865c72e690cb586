import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sliceOver, sortInSlices } from "../src/event-loop.ts";

function keepBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe("work in slices", () => {
  test("lets other work run in between, and takes turns with it", async () => {
    const done: string[] = [];
    let turns = 0;
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        await nextTurn();
        turns++;
      }
    })();
    const work = async (name: string) => {
      for (let piece = 0; piece < 20; piece++) {
        keepBusy(2);
        done.push(name);
        const pause = sliceOver();
        if (pause) await pause;
      }
    };
    await Promise.all(["a", "b", "c"].map(work));
    isOver = true;
    await others;
    // 120 ms of work in slices of 10.
    expect(turns).toBeGreaterThanOrEqual(10);
    const firstOf = (name: string) => done.indexOf(name);
    const lastOf = (name: string) => done.lastIndexOf(name);
    expect(Math.max(firstOf("a"), firstOf("b"), firstOf("c"))).toBeLessThan(
      Math.min(lastOf("a"), lastOf("b"), lastOf("c")),
    );
  });

  test("sorts like a regular stable sort", async () => {
    const compare = (a: readonly number[], b: readonly number[]) => (a[0] ?? 0) - (b[0] ?? 0);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 9000 }), fc.integer(), async (length, seed) => {
        const items = Array.from({ length }, (_, at) => [Math.abs((seed + at * 7919) % 97), at]);
        expect(await sortInSlices(items, compare)).toEqual(items.toSorted(compare));
      }),
      { numRuns: 20 },
    );
  });
});
