import { PassThrough, Writable } from "node:stream";
import { setImmediate as tick } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { LineWriter } from "../../src/lines/writer.ts";

/** A stream that accepts data and never reports that it is written. */
const stuck = () => new Writable({ write() {} });
const large = "x".repeat(100_000);

describe("a write", () => {
  test("to a stream destroyed before the writer was created returns an error", async () => {
    const output = new PassThrough();
    output.destroy();
    await tick();
    const writer = new LineWriter(output);
    expect(writer.write("a\n")?.code).toBe("not_writable");
    expect((await writer.flushed())?.code).toBe("not_writable");
    await writer.end();
  });

  test("to a stream that was ended elsewhere returns an error", async () => {
    const output = new PassThrough();
    const writer = new LineWriter(output);
    output.end();
    expect(writer.write("a\n")?.code).toBe("not_writable");
    expect((await writer.flushed())?.code).toBe("not_writable");
  });

  test("after end is refused at once, and everything before is written", async () => {
    const output = new PassThrough();
    const writer = new LineWriter(output);
    writer.write("a\n");
    const ended = writer.end();
    expect(writer.write("b\n")?.code).toBe("closed");
    await ended;
    expect(String(output.read())).toBe("a\n");
  });

  test("leaves no listener behind, however often the caller waits for room or a flush", async () => {
    const output = new PassThrough();
    const writer = new LineWriter(output);
    const listeners = () => output.eventNames().map((name) => [name, output.listenerCount(name)]);
    const before = listeners();
    for (let i = 0; i < 50; i++) {
      writer.write(`${large}\n`);
      const { room } = writer;
      expect(room).toBeInstanceOf(Promise);
      const flushed = [writer.flushed(), writer.flushed()];
      while (output.read());
      await Promise.all([room, ...flushed]);
    }
    expect(listeners()).toEqual(before);
  });
});

describe("a wait always ends", () => {
  test.each<[string, (output: Writable, writer: LineWriter) => void]>([
    ["breaks", (output) => output.destroy(new Error("EPIPE"))],
    ["is destroyed", (output) => output.destroy()],
  ])("for room or a flush when the stream %s", async (_name, kill) => {
    const output = stuck();
    const writer = new LineWriter(output);
    writer.write(`${large}\n`);
    const { room } = writer;
    const flushed = writer.flushed();
    const ended = writer.end();
    kill(output, writer);
    await Promise.all([room, ended]);
    expect(await flushed).toBeDefined();
    expect(writer.room).toBeUndefined();
  });

  test("for room once the writer has ended", async () => {
    const writer = new LineWriter(stuck());
    writer.write(`${large}\n`);
    const { room } = writer;
    expect(room).toBeInstanceOf(Promise);
    void writer.end();
    await room;
  });
});
