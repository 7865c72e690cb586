import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openForReading } from "../../src/store/database.ts";
import { appendEvent, eventLog } from "../../src/store/event-log.ts";
import { Writer } from "../../src/store/writer.ts";

test("a page holds no more than fits, but one event at least", async () => {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-log-"));
  const writer = await Writer.open(join(folder, "store.db"));
  const db = openForReading(writer.path);
  const sizes = [10, 10, 5000, 10];
  await writer.write(sizes.map((size, i) => appendEvent("s", { seq: i + 1, body: new Uint8Array(size) })));
  const log = eventLog(db);
  const page = (after: number, bytes: number) => log.page("s", after, 500, bytes).map(({ seq }) => seq);
  expect(page(0, 100)).toEqual([1, 2]);
  expect(page(2, 100)).toEqual([3]);
  expect(page(3, 100)).toEqual([4]);
  expect(page(4, 100)).toEqual([]);
  expect(page(0, 1_000_000)).toEqual([1, 2, 3, 4]);
  await writer.close();
  db.close();
  rmSync(folder, { recursive: true });
});

test("after a batch that was refused nothing more of its chain is written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-log-"));
  const writer = await Writer.open(join(folder, "store.db"));
  const db = openForReading(writer.path);
  const event = (seq: number) => [appendEvent("s", { seq, body: new Uint8Array(1) })];
  const told = await Promise.allSettled([
    writer.keep(event(1), "chain"),
    writer.keep(event(1), "chain"),
    writer.keep(event(2), "chain"),
    writer.keep(event(3), "other"),
  ]);
  expect(told.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  await expect(writer.keep(event(4), "chain")).rejects.toThrow();
  expect(
    eventLog(db)
      .after("s", 0, 10)
      .map(({ seq }) => seq),
  ).toEqual([1, 3]);
  await writer.close();
  db.close();
  rmSync(folder, { recursive: true });
});
