import { expect, test } from "vitest";
import { Restarts } from "../../src/session/restarts.ts";

test("an agent that dies again and again is started after 500 ms, each time twice as long, and given up after 5 in a minute", () => {
  const restarts = new Restarts();
  expect([0, 1, 2, 3, 4].map((i) => restarts.crashed(i * 1000))).toEqual([500, 1000, 2000, 4000, undefined]);
});

test("an agent that dies seldom is never given up, and never waited for longer than half a minute", () => {
  const restarts = new Restarts();
  const delays = Array.from({ length: 12 }, (_, i) => restarts.crashed(i * 20_000));
  expect(delays.at(-1)).toBe(30_000);
  expect(delays).not.toContain(undefined);
});

test("a turn that came to its end, and somebody who asks again, begin the count anew", () => {
  const restarts = new Restarts();
  restarts.crashed(0);
  restarts.succeeded();
  expect(restarts.crashed(1)).toBe(500);
  restarts.forget();
  for (let i = 0; i < 4; i++) expect(restarts.crashed(2 + i)).toBeDefined();
});
