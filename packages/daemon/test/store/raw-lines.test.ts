import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, openForReading } from "../../src/store/database.ts";
import { RawLines, rawLog } from "../../src/store/raw-lines.ts";
import { Writer } from "../../src/store/writer.ts";

let folder: string;
let writer: Writer;
let db: Database;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-raw-"));
  writer = await Writer.open(join(folder, "store.db"));
  db = openForReading(writer.path);
});
afterEach(async () => {
  await writer.close();
  db.close();
  rmSync(folder, { recursive: true });
});

test("lines come back as they were, by number, forwards and backwards", async () => {
  const lines = new RawLines("s", () => []);
  await writer.write([1, 4, 9].flatMap((seq) => lines.keep(seq, `{"n":${seq},"text":"grüße 👋"}`)));
  const log = rawLog(db);
  expect(log.after("s", 1, 10).map(({ seq }) => seq)).toEqual([4, 9]);
  expect(log.before("s", 9, 1)).toEqual([{ seq: 4, line: '{"n":4,"text":"grüße 👋"}' }]);
  expect(log.after("another", 0, 10)).toEqual([]);
});

test("the oldest lines make room, also those that an earlier daemon kept", async () => {
  const log = rawLog(db);
  const text = "x".repeat(10_000);
  const first = new RawLines("s", () => log.sizes("s"), 100_000);
  for (let seq = 1; seq <= 8; seq++) await writer.write(first.keep(seq, text));
  const second = new RawLines("s", () => log.sizes("s"), 100_000);
  for (let seq = 9; seq <= 30; seq++) {
    await writer.write(second.keep(seq, text));
    const kept = log.sizes("s");
    expect(kept.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(100_000);
    expect(kept.at(-1)?.seq).toBe(seq);
  }
  expect(log.sizes("s").length).toBeGreaterThan(5);
});
