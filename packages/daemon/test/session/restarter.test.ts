import { expect, test } from "vitest";
import { RestartPolicy } from "../../src/session/restarter.ts";

test("an agent that dies again and again is started after 500 ms, each time twice as long, and given up after 5 in a minute", () => {
  const restarts = new RestartPolicy();
  expect([0, 1, 2, 3, 4].map((i) => restarts.crashed(i * 1000, true))).toEqual([
    500,
    1000,
    2000,
    4000,
    undefined,
  ]);
});

test("an agent that dies seldom is never given up, and never waited for longer than half a minute", () => {
  const restarts = new RestartPolicy();
  const delays = Array.from({ length: 12 }, (_, i) => restarts.crashed(i * 20_000, true));
  expect(delays.at(-1)).toBe(30_000);
  expect(delays).not.toContain(undefined);
});

test("a completed turn and a new attempt reset the count", () => {
  const restarts = new RestartPolicy();
  restarts.crashed(0, true);
  restarts.succeeded();
  expect(restarts.crashed(1, true)).toBe(500);
  restarts.forget();
  for (let i = 0; i < 4; i++) expect(restarts.crashed(2 + i, true)).toBeDefined();
});

test("an agent that never comes up is given up after 5 starts in a row, however long each of them took", () => {
  const restarts = new RestartPolicy();
  const starts = Array.from({ length: 5 }, (_, i) => restarts.crashed(i * 180_000, false));
  expect(starts).toEqual([500, 1000, 2000, 4000, undefined]);
});

test("an agent that came up in between has not failed to start in a row", () => {
  const restarts = new RestartPolicy();
  const starts = Array.from({ length: 12 }, (_, i) => restarts.crashed(i * 180_000, i % 4 === 3));
  expect(starts).not.toContain(undefined);
});
