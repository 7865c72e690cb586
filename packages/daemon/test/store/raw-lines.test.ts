import { expect, test } from "vitest";
import { RawLines } from "../../src/store/raw-lines.ts";
import { withStore } from "./place.ts";

const place = withStore();

test("lines are returned unchanged, by number, forwards and backwards", async () => {
  const lines = new RawLines("s", async () => []);
  await place.store.write([1, 4, 9].flatMap((seq) => lines.keep(seq, `{"n":${seq},"text":"grüße 👋"}`)));
  const log = place.store.lines;
  expect((await log.after("s", 1, 10)).map(({ seq }) => seq)).toEqual([4, 9]);
  expect(await log.before("s", 9, 1)).toEqual([{ seq: 4, line: '{"n":4,"text":"grüße 👋"}' }]);
  expect(await log.after("another", 0, 10)).toEqual([]);
});

test("the oldest lines make room for new ones, even those of an earlier daemon", async () => {
  const log = place.store.lines;
  const text = "x".repeat(10_000);
  const first = new RawLines("s", () => log.sizes("s"), 100_000);
  for (let seq = 1; seq <= 8; seq++) await place.store.write(first.keep(seq, text));
  const second = new RawLines("s", () => log.sizes("s"), 100_000);
  for (let seq = 9; seq <= 30; seq++) {
    await place.store.write(second.keep(seq, text));
    const kept = await log.sizes("s");
    expect(kept.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(100_000);
    expect(kept.at(-1)?.seq).toBe(seq);
  }
  expect((await log.sizes("s")).length).toBeGreaterThan(5);
});
