import { expect, test } from "vitest";
import { computingMs } from "../../../../test/computing-time.ts";
import { wholeEvents } from "../../src/http/whole-events.ts";

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function piecesOf(text: string, size: number): Promise<readonly string[]> {
  const pieces: string[] = [];
  for await (const piece of wholeEvents(inPieces(text, size))) pieces.push(Buffer.from(piece).toString());
  return pieces;
}

test.each(["\n", "\r\n", "\r"])(
  "pieces end at event boundaries, however the stream is split, with %j as line ending",
  async (line) => {
    const events = [1, 2, 3].map((n) => `event: ping${line}data: {"n":${n}}${line}${line}`);
    for (let size = 1; size < 80; size++) {
      const pieces = await piecesOf(`${events.join("")}data: cut`, size);
      expect(pieces.join("")).toBe(`${events.join("")}data: cut`);
      for (const piece of pieces.slice(0, -1)) expect(piece).toMatch(line === "\r" ? /\r\r$/ : /\n\r?\n$/);
    }
  },
);

test("a long event in many small pieces takes linear time", async () => {
  const text = `data: ${"x".repeat(8 * 1024 * 1024)}\n\n`;
  const start = computingMs();
  expect(await piecesOf(text, 512)).toHaveLength(1);
  expect(computingMs() - start).toBeLessThan(5000);
});
