import { expect, test } from "vitest";
import { RawLines, rawLog } from "../../src/store/raw-lines.ts";
import { withStore } from "./place.ts";

const place = withStore();

test("lines come back as they were, by number, forwards and backwards", async () => {
  const lines = new RawLines("s", () => []);
  await place.writer.write([1, 4, 9].flatMap((seq) => lines.keep(seq, `{"n":${seq},"text":"grüße 👋"}`)));
  const log = rawLog(place.db);
  expect(log.after("s", 1, 10).map(({ seq }) => seq)).toEqual([4, 9]);
  expect(log.before("s", 9, 1)).toEqual([{ seq: 4, line: '{"n":4,"text":"grüße 👋"}' }]);
  expect(log.after("another", 0, 10)).toEqual([]);
});

test("the oldest lines make room, even those that an earlier daemon kept", async () => {
  const log = rawLog(place.db);
  const text = "x".repeat(10_000);
  const first = new RawLines("s", () => log.sizes("s"), 100_000);
  for (let seq = 1; seq <= 8; seq++) await place.writer.write(first.keep(seq, text));
  const second = new RawLines("s", () => log.sizes("s"), 100_000);
  for (let seq = 9; seq <= 30; seq++) {
    await place.writer.write(second.keep(seq, text));
    const kept = log.sizes("s");
    expect(kept.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(100_000);
    expect(kept.at(-1)?.seq).toBe(seq);
  }
  expect(log.sizes("s").length).toBeGreaterThan(5);
});
