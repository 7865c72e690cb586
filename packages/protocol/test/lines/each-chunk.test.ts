import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { eachChunk } from "../../src/lines/each-chunk.ts";

describe("the chunks of a stream", () => {
  test("arrive one after the other, each once the previous one has been processed", async () => {
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

  test("make the writer wait while one is processed", async () => {
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
  ])("end with an error if the stream %s", async (_what, end, reason) => {
    const input = new PassThrough();
    const done = eachChunk(input, () => undefined);
    end(input);
    await expect(done).rejects.toThrow(reason);
  });

  test.each([
    ["throws", () => expect.unreachable()],
    ["rejects", () => Promise.reject(new Error("no"))],
  ])("end, together with the stream, if the consumer %s", async (_how, take) => {
    const input = new PassThrough();
    const done = eachChunk(input, take);
    input.write("one");
    await expect(done).rejects.toThrow();
    expect(input.destroyed).toBe(true);
  });

  test("also arrive from a stream that was paused before", async () => {
    const input = new PassThrough();
    input.pause();
    input.end("one");
    const taken: string[] = [];
    await eachChunk(input, (chunk) => void taken.push(String(chunk)));
    expect(taken).toEqual(["one"]);
  });

  test("have all been processed when the end is reported, including the last one", async () => {
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
