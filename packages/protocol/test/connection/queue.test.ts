import { expect, test } from "vitest";
import { Queue } from "../../src/connection/queue.ts";

test("delivers what was pushed before the first reader came, then what comes, then the end", async () => {
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

test("answers several open calls of next in their order", async () => {
  const queue = new Queue<string>();
  const iterator = queue[Symbol.asyncIterator]();
  const answers = Promise.all([iterator.next(), iterator.next(), iterator.next()]);
  queue.push("a");
  await Promise.resolve();
  queue.push("b");
  queue.end();
  expect((await answers).map(({ value }) => value)).toEqual(["a", "b", undefined]);
});

test("says that something can be taken, or that nothing ever will", async () => {
  const queue = new Queue<string>();
  const ready = queue.ready();
  queue.push("a");
  expect(await ready).toBe(true);
  expect(queue.take()).toBe("a");
  expect(queue.take()).toBeUndefined();
  queue.end();
  expect(await queue.ready()).toBe(false);
});

test("never delivers what somebody else took between the call and its answer", async () => {
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
