import { expect, test } from "vitest";
import { Queue } from "../../src/connection/queue.ts";

test("a queue delivers items pushed before the first reader, then later items, then the end", async () => {
  const queue = new Queue<number>();
  queue.push(1);
  const seen: number[] = [];
  const reading = (async () => {
    for await (const item of queue) seen.push(item);
  })();
  await Promise.resolve();
  queue.push(2);
  queue.end();
  queue.push(3);
  await reading;
  expect(seen).toEqual([1, 2]);
});

test("a queue resolves concurrent calls of next in order", async () => {
  const queue = new Queue<string>();
  const iterator = queue[Symbol.asyncIterator]();
  const answers = Promise.all([iterator.next(), iterator.next(), iterator.next()]);
  queue.push("a");
  await Promise.resolve();
  queue.push("b");
  queue.end();
  expect((await answers).map(({ value }) => value)).toEqual(["a", "b", undefined]);
});

test("ready resolves to true when there is an item, and to false when there never will be", async () => {
  const queue = new Queue<string>();
  const ready = queue.ready();
  queue.push("a");
  expect(await ready).toBe(true);
  expect(queue.take()).toBe("a");
  expect(queue.take()).toBeUndefined();
  queue.end();
  expect(await queue.ready()).toBe(false);
});

test("a queue never delivers an item that another reader took in the meantime", async () => {
  const queue = new Queue<string>();
  const iterator = queue[Symbol.asyncIterator]();
  const [next, last] = [iterator.next(), iterator.next()];
  queue.push("a");
  expect(queue.take()).toBe("a");
  await Promise.resolve();
  await Promise.resolve();
  queue.push("b");
  expect(await next).toEqual({ done: false, value: "b" });
  queue.end();
  expect(await last).toEqual({ done: true, value: undefined });
});
