import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../test/any-character.ts";
import { BadLine, type Line, LineSplitter, readLines } from "../../src/lines/lines.ts";

/** Splits bytes that arrive in the given pieces. */
function split(pieces: readonly Uint8Array[], maxBytes?: number): Line[] {
  const splitter = new LineSplitter(maxBytes);
  return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
}

const bytes = (text: string) => Buffer.from(text, "utf8");

/** Cuts a buffer at the given places, in any order. */
function cutAt(buffer: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [...new Set(places.map((place) => place % (buffer.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((start, index) => buffer.subarray(start, sorted[index] ?? buffer.length));
}

describe("splitting bytes into lines", () => {
  test.each([
    ["one line", "a\n", ["a"]],
    ["two lines", "a\nb\n", ["a", "b"]],
    ["an unterminated last line", "a\nb", ["a", "b"]],
    ["CRLF", "a\r\nb\r\n", ["a", "b"]],
    ["a lone carriage return inside a line", "a\rb\n", ["a\rb"]],
    ["blank lines", "\n\n a\n \t\r\n\n", [" a"]],
    ["nothing", "", []],
    ["a byte order mark at the start of a line", "\ufeff{}\n\ufeffx\r\ny\ufeff\n", ["{}", "x", "y\ufeff"]],
    ["U+2028 and U+2029", "a\u2028b\u2029c\n", ["a\u2028b\u2029c"]],
    ["NUL and form feed", "a\0b\fc\n", ["a\0b\fc"]],
  ])("reads %s", (_name, text, expected) => {
    expect(split([bytes(text)])).toEqual(expected);
  });

  test("gives the same lines however the bytes are chunked", () => {
    const text = fc.array(fc.string({ unit: anyCharacter }).map((line) => line.replace(/[\r\n]/g, "")));
    fc.assert(
      fc.property(text, fc.array(fc.nat()), (lines, places) => {
        const buffer = bytes(lines.join("\n"));
        const whole = split([buffer]);
        expect(split(cutAt(buffer, places))).toEqual(whole);
        expect(split([...buffer].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
      }),
    );
  });

  test("loses only the line with invalid UTF-8", () => {
    const lines = split([
      Buffer.concat([bytes("é\n"), Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22, 10]), bytes("ü\n")]),
    ]);
    expect(lines).toEqual(["é", new BadLine("invalid_utf8", 5, expect.any(String)), "ü"]);
  });

  test("keeps a line of exactly the cap and reports the true size of a longer one", () => {
    expect(split([bytes("12345\n123456\n12345")], 5)).toEqual([
      "12345",
      new BadLine("too_long", 6, "123456"),
      "12345",
    ]);
    expect(split([bytes("1234"), bytes("56789"), bytes("0\nok\n")], 5)).toEqual([
      new BadLine("too_long", 10, "123456789"),
      "ok",
    ]);
  });

  test("finds the same lines and sizes with any cap and chunking", () => {
    const lengths = fc.array(fc.nat(40), { maxLength: 20 });
    fc.assert(
      fc.property(lengths, fc.array(fc.nat()), fc.integer({ min: 1, max: 30 }), (sizes, places, cap) => {
        const lines = sizes.filter((size) => size > 0).map((size) => "x".repeat(size));
        const found = split(cutAt(bytes(lines.map((line) => `${line}\n`).join("")), places), cap);
        expect(found.map((line) => (line instanceof BadLine ? line.bytes : line.length))).toEqual(
          lines.map((line) => line.length),
        );
        expect(found.map((line) => line instanceof BadLine)).toEqual(lines.map((line) => line.length > cap));
      }),
    );
  });

  test("reads a stream as batches, one per chunk that completes a line", async () => {
    async function* chunks() {
      yield bytes("a\nb\nc");
      yield bytes("d");
      yield bytes("\ne");
    }
    const batches: Line[][] = [];
    for await (const batch of readLines(chunks())) batches.push(batch);
    expect(batches).toEqual([["a", "b"], ["cd"], ["e"]]);
  });

  test("does not read ahead while a batch is processed", async () => {
    let pulled = 0;
    async function* chunks() {
      for (;;) {
        pulled++;
        yield bytes("line\n");
      }
    }
    for await (const _ of readLines(chunks())) if (pulled === 3) break;
    expect(pulled).toBe(3);
  });

  test("a 1 GiB line without a newline uses less than 64 MiB of memory over the cap", () => {
    const splitter = new LineSplitter();
    const chunk = Buffer.alloc(1 << 20, "x");
    const before = process.memoryUsage();
    let peak = 0;
    for (let i = 0; i < 1024; i++) {
      splitter.push(chunk);
      const now = process.memoryUsage();
      peak = Math.max(peak, now.heapUsed - before.heapUsed + now.external - before.external);
    }
    const [line] = splitter.push(bytes("\n"));
    expect(line).toEqual(new BadLine("too_long", 1 << 30, "x".repeat(256)));
    expect(peak).toBeLessThan((10 + 64) << 20);
  });
});
