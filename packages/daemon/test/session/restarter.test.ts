import { expect, test } from "vitest";
import { RestartPolicy } from "../../src/session/restarter.ts";

test("an agent that keeps dying is restarted after 500 ms, then doubled delays, and given up after 5 deaths in a minute", () => {
  const restarts = new RestartPolicy();
  expect([0, 1, 2, 3, 4].map((i) => restarts.crashed(i * 1000, true))).toEqual([
    500,
    1000,
    2000,
    4000,
    undefined,
  ]);
});

test("an agent that dies rarely is never given up, and restarted after half a minute at most", () => {
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

test("an agent that never starts is given up after 5 attempts in a row, however long each took", () => {
  const restarts = new RestartPolicy();
  const starts = Array.from({ length: 5 }, (_, i) => restarts.crashed(i * 180_000, false));
  expect(starts).toEqual([500, 1000, 2000, 4000, undefined]);
});

test("an agent that started in between does not count as failing in a row", () => {
  const restarts = new RestartPolicy();
  const starts = Array.from({ length: 12 }, (_, i) => restarts.crashed(i * 180_000, i % 4 === 3));
  expect(starts).not.toContain(undefined);
});
