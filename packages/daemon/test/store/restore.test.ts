import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openForReading } from "../../src/store/sqlite/database.ts";
import { lockStore } from "../../src/store/sqlite/lock.ts";
import { eventLog } from "../../src/store/sqlite/logs.ts";
import { copyStore } from "../../src/store/sqlite/maintenance.ts";
import { restoreStore } from "../../src/store/sqlite/restore.ts";
import { statementsOf } from "../../src/store/sqlite/statements.ts";
import { Writer } from "../../src/store/sqlite/writer.ts";
import { appendEvent } from "./place.ts";

const NOW = new Date("2026-01-31T12:00:00Z");

let folder: string;
let path: string;
let backup: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-restore-"));
  path = join(folder, "agentwire.db");
  backup = join(folder, "backup.db");
  const writer = await Writer.open(path);
  await writer.write(statementsOf([appendEvent("s", { seq: 1, body: Buffer.alloc(9000) })]));
  await copyStore(path, backup);
  await writer.write(statementsOf([appendEvent("s", { seq: 2, body: Buffer.of(2) })]));
  await writer.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

async function lastIn(file: string): Promise<number> {
  const db = openForReading(file);
  try {
    return (await eventLog(db).bounds("s")).last;
  } finally {
    db.close();
  }
}

test("a backup replaces the store, which is moved aside", async () => {
  const { putAside, sizeBytes } = await restoreStore(folder, backup, NOW);
  expect(await lastIn(path)).toBe(1);
  expect(putAside).toBe(`${path}.before-20260131T120000Z`);
  expect(await lastIn(putAside ?? "")).toBe(2);
  expect(statSync(path)).toMatchObject({ size: sizeBytes });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const writer = await Writer.open(path);
  await writer.write(statementsOf([appendEvent("s", { seq: 2, body: Buffer.of(3) })]));
  await writer.close();
});

test("a backup can be restored to a new folder", async () => {
  const empty = join(folder, "elsewhere");
  expect(await restoreStore(empty, backup, NOW)).toMatchObject({ putAside: undefined });
  expect(await lastIn(join(empty, "agentwire.db"))).toBe(1);
});

test("a folder that others can enter is not restored into", async () => {
  chmodSync(folder, 0o755);
  await expect(restoreStore(folder, backup, NOW)).rejects.toThrow(/other users can enter/);
  expect(await lastIn(path)).toBe(2);
});

const makeFolder = (file: string) => {
  rmSync(file);
  mkdirSync(file);
};

test.each<[string, (file: string) => void, string]>([
  ["is missing", (file) => rmSync(file), "there is no file"],
  ["is a folder", makeFolder, "there is no file"],
  ["is not a database", (file) => writeFileSync(file, "x".repeat(5000)), "damaged"],
  ["is empty", (file) => writeFileSync(file, ""), "is not a daemon's store"],
  [
    "belongs to another program",
    (file) => {
      rmSync(file);
      const db = new DatabaseSync(file);
      db.exec("CREATE TABLE theirs (a); PRAGMA user_version = 1");
      db.close();
    },
    "is not a daemon's store",
  ],
  [
    "was written by a newer daemon",
    (file) => {
      const db = new DatabaseSync(file);
      db.exec("PRAGMA user_version = 99");
      db.close();
    },
    "newer daemon",
  ],
  ["is in use", (file) => writeFileSync(`${file}-wal`, "x"), "is in use"],
])("a backup that %s is rejected, and nothing changes", async (_, spoil, message) => {
  spoil(backup);
  await expect(restoreStore(folder, backup, NOW)).rejects.toThrow(message);
  expect(await lastIn(path)).toBe(2);
  expect(readdirSync(folder).filter((name) => /before|restoring/.test(name))).toEqual([]);
});

test("a damaged backup is rejected", async () => {
  const bytes = Buffer.alloc(4096, 0xff);
  const { openSync, writeSync, closeSync } = await import("node:fs");
  const handle = openSync(backup, "r+");
  writeSync(handle, bytes, 0, bytes.length, statSync(backup).size - 8192);
  closeSync(handle);
  await expect(restoreStore(folder, backup, NOW)).rejects.toMatchObject({ code: "corrupt" });
  expect(await lastIn(path)).toBe(2);
});

test("nothing is restored while a daemon uses the store", async () => {
  const unlock = lockStore(path);
  try {
    await expect(restoreStore(folder, backup, NOW)).rejects.toMatchObject({ code: "busy" });
  } finally {
    unlock();
  }
});
