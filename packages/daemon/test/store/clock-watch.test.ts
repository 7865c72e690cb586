import { expect, test } from "vitest";
import { ClockWatch } from "../../src/store/housekeeping.ts";

const HOUR = 3_600_000;
const NOW = 1_800_000_000_000;

test.each([
  ["runs normally", HOUR, false],
  ["is corrected by a minute", HOUR + 60_000, false],
  ["is set ahead", 1000 * HOUR, true],
  ["is set back", -1000 * HOUR, true],
])("detects whether a clock that %s has jumped", (_, byMs, expected) => {
  const watch = new ClockWatch(NOW, 5);
  expect(watch.hasJumped(NOW + byMs, 5 + HOUR)).toBe(expected);
  // After an hour of normal running the new time is accepted.
  expect(watch.hasJumped(NOW + byMs + HOUR, 5 + 2 * HOUR)).toBe(false);
});
