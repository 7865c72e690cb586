import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { eachChunk } from "../../src/lines/each-chunk.ts";

describe("the chunks of a stream", () => {
  test("come one after the other, each when the one before was dealt with", async () => {
    const input = new PassThrough();
    const taken: string[] = [];
    let release = () => {};
    const done = eachChunk(input, (chunk) => {
      taken.push(String(chunk));
      return new Promise((resolve) => {
        release = resolve;
      });
    });
    input.write("one");
    await turn();
    input.write("two");
    input.end();
    for (let i = 0; i < 10; i++) await turn();
    expect(taken).toEqual(["one"]);
    release();
    while (taken.length < 2) await turn();
    release();
    await done;
    expect(taken).toEqual(["one", "two"]);
  });

  test("make the writer wait while one is dealt with", async () => {
    const input = new PassThrough({ highWaterMark: 16 });
    void eachChunk(input, () => new Promise(() => {}));
    input.write("one");
    await turn();
    let written = 0;
    while (input.write("xxxxxxxx") && written < 1000) written++;
    expect(written).toBeLessThan(10);
  });

  test.each([
    ["breaks off", (input: PassThrough) => input.destroy(new Error("torn")), "torn"],
    ["is closed before its end", (input: PassThrough) => input.destroy(), "Premature close"],
  ])("end with an error where the stream %s", async (_what, end, reason) => {
    const input = new PassThrough();
    const done = eachChunk(input, () => undefined);
    end(input);
    await expect(done).rejects.toThrow(reason);
  });

  test.each([
    ["throws", () => expect.unreachable()],
    ["rejects", () => Promise.reject(new Error("no"))],
  ])("end, and the stream too, when whoever takes them %s", async (_how, take) => {
    const input = new PassThrough();
    const done = eachChunk(input, take);
    input.write("one");
    await expect(done).rejects.toThrow();
    expect(input.destroyed).toBe(true);
  });

  test("come of a stream that was paused before, too", async () => {
    const input = new PassThrough();
    input.pause();
    input.end("one");
    const taken: string[] = [];
    await eachChunk(input, (chunk) => void taken.push(String(chunk)));
    expect(taken).toEqual(["one"]);
  });

  test("are all dealt with when the end is told, the last one too", async () => {
    const input = new PassThrough();
    input.end("one");
    await turn();
    let isDealtWith = false;
    await eachChunk(input, async () => {
      for (let i = 0; i < 10; i++) await turn();
      isDealtWith = true;
    });
    expect(isDealtWith).toBe(true);
  });
});
