import { expect, test } from "vitest";
import { ClockWatch } from "../../src/store/housekeeping.ts";

const HOUR = 3_600_000;
const NOW = 1_800_000_000_000;

test.each([
  ["runs", HOUR, false],
  ["is put right by a minute", HOUR + 60_000, false],
  ["is set ahead", 1000 * HOUR, true],
  ["is set back", -1000 * HOUR, true],
])("a clock that %s in an hour", (_, byMs, expected) => {
  const watch = new ClockWatch(NOW, 5);
  expect(watch.hasJumped(NOW + byMs, 5 + HOUR)).toBe(expected);
  // What it says is believed when it has kept its word.
  expect(watch.hasJumped(NOW + byMs + HOUR, 5 + 2 * HOUR)).toBe(false);
});
