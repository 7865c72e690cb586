import { expect, test } from "vitest";
import { Losses } from "../../src/session/losses.ts";

test("a session that is lost repeatedly is reopened after growing delays, and then given up", () => {
  const losses = new Losses();
  const delays = Array.from({ length: 6 }, (_, i) => losses.next("a", i * 1000, false));
  expect(delays).toEqual([1000, 2000, 4000, 8000, undefined, undefined]);
  expect(losses.next("b", 0, false)).toBe(1000);
});

test("no session is given up while the store rejects every write", () => {
  const losses = new Losses();
  const delays = Array.from({ length: 30 }, (_, i) => losses.next("a", i * 1000, true));
  expect(delays.slice(0, 4)).toEqual([1000, 2000, 4000, 8000]);
  expect(delays.slice(4).every((delay) => delay === 8000)).toBe(true);
});

test("a session that then ran for a long time starts counting from zero", () => {
  const losses = new Losses();
  for (let i = 0; i < 6; i++) losses.next("a", i * 1000, false);
  expect(losses.next("a", 3_600_000, false)).toBe(1000);
});
