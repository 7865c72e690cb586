import { expect, test } from "vitest";
import { appendEvent, withStore } from "./place.ts";

const place = withStore();

test("a page contains no more than fits, but at least one event", async () => {
  const { store } = place;
  const sizes = [10, 10, 5000, 10];
  await store.write(sizes.map((size, i) => appendEvent("s", { seq: i + 1, body: new Uint8Array(size) })));
  const page = async (after: number, bytes: number) =>
    (await store.events.after("s", after, 500, bytes)).map(({ seq }) => seq);
  expect(await page(0, 100)).toEqual([1, 2]);
  expect(await page(2, 100)).toEqual([3]);
  expect(await page(3, 100)).toEqual([4]);
  expect(await page(4, 100)).toEqual([]);
  expect(await page(0, 1_000_000)).toEqual([1, 2, 3, 4]);
});

test("after a rejected batch nothing more of its chain is written", async () => {
  const { store } = place;
  const event = (seq: number) => [appendEvent("s", { seq, body: new Uint8Array(1) })];
  const told = await Promise.allSettled([
    store.keep(event(1), "chain"),
    store.keep(event(1), "chain"),
    store.keep(event(2), "chain"),
    store.keep(event(3), "other"),
  ]);
  expect(told.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  await expect(store.keep(event(4), "chain")).rejects.toThrow();
  expect((await store.events.after("s", 0, 10)).map(({ seq }) => seq)).toEqual([1, 3]);
});
