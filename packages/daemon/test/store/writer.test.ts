import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openForReading, openForWriting } from "../../src/store/sqlite/database.ts";
import { lockStore } from "../../src/store/sqlite/lock.ts";
import { statementsOf } from "../../src/store/sqlite/statements.ts";
import { Writer } from "../../src/store/sqlite/writer.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-store-"));
  path = join(folder, "deep", "store.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

const INSERT = "INSERT INTO events (session_id, seq, body) VALUES (?, ?, ?)";
const insert = (seq: number, body = "x") => ({ sql: INSERT, values: ["s", seq, Buffer.from(body)] });
const numbers = () => {
  const db = openForReading(path);
  try {
    return db
      .statement("SELECT seq FROM events ORDER BY seq")
      .all()
      .map(({ seq }) => seq);
  } finally {
    db.close();
  }
};

describe("the writer", () => {
  test("resolves once other readers see a batch, with the number of rows it changed", async () => {
    const writer = await Writer.open(path);
    expect(await writer.write([insert(1), insert(2)])).toEqual([1, 1]);
    expect(numbers()).toEqual([1, 2]);
    await writer.close();
  });

  test("completes all pending writes when it is closed", async () => {
    const writer = await Writer.open(path);
    const writes = Array.from({ length: 500 }, (_, i) => writer.keep([insert(i + 1)]));
    await writer.close();
    expect((await Promise.all(writes)).length).toBe(500);
    expect(numbers().length).toBe(500);
  });

  test("rejects a batch atomically, without affecting others", async () => {
    const writer = await Writer.open(path);
    const good = writer.write([insert(1)]);
    const bad = writer.write([insert(2), insert(1)]);
    const after = writer.keep([insert(3)]);
    await expect(bad).rejects.toMatchObject({ code: "failed" });
    await Promise.all([good, after]);
    expect(numbers()).toEqual([1, 3]);
    await writer.close();
  });

  test("delays deltas of many sessions to batch them", async () => {
    const writer = await Writer.open(path);
    const piece = (session: number, seq: number) =>
      statementsOf([
        { type: "appendEvent", sessionId: `s${session}`, seq, body: Buffer.from("x"), deltaOf: "m" },
      ]);
    const sessions = Array.from({ length: 100 }, (_, i) => i);
    let commits = 0;
    writer.onCommit = () => {
      commits++;
    };
    const together = (seq: number) =>
      new Promise<unknown>((resolve) => {
        writer.atTurnEnd(() => resolve(Promise.all(sessions.map((id) => writer.keep(piece(id, seq))))));
      });
    const began = performance.now();
    await together(1);
    await together(2);
    // Twenty milliseconds from the beginning of one commit to that of the next.
    expect(performance.now() - began).toBeGreaterThan(19);
    expect(commits).toBe(2);
    await writer.close();
  });

  test("on a full disk keeps in order what must not be lost, and rejects the rest", async () => {
    const writer = await Writer.open(path);
    const healths: (string | undefined)[] = [];
    const sick = new Promise<void>((resolve) => {
      writer.onHealth = (error) => {
        healths.push(error?.code);
        if (error) resolve();
      };
    });
    await writer.write([{ sql: "PRAGMA max_page_count = 60", values: [] }]).catch(() => {});
    const kept = Array.from({ length: 20 }, (_, i) => writer.keep([insert(i + 1, "x".repeat(20_000))]));
    await sick;
    await expect(writer.write([insert(100, "y".repeat(20_000))])).rejects.toMatchObject({ code: "full" });
    expect(numbers().length).toBeLessThan(20);
    await writer.write([{ sql: "PRAGMA max_page_count = 100000", values: [] }]);
    await Promise.all(kept);
    expect(numbers()).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(healths).toEqual(["full", undefined]);
    await writer.close();
  });

  test("rejects everything once it is closed", async () => {
    const writer = await Writer.open(path);
    await writer.close();
    await expect(writer.write([insert(1)])).rejects.toMatchObject({ code: "closed" });
  });
});

describe("a store", () => {
  test("can be read by its owner only", async () => {
    const writer = await Writer.open(path);
    await writer.write([insert(1)]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "deep")).mode & 0o777).toBe(0o700);
    await writer.close();
  });

  test("that is not a database, belongs to another program or a newer daemon is reported as such", () => {
    writeFileSync(join(folder, "text"), "no database at all, but long enough to be looked at".repeat(100));
    expect(() => openForWriting(join(folder, "text"))).toThrow("damaged");
    const db = openForWriting(path);
    db.exec("PRAGMA application_id = 1");
    db.close();
    expect(() => openForWriting(path)).toThrow("another program");
    const other = join(folder, "newer.db");
    const newer = openForWriting(other);
    newer.exec("PRAGMA user_version = 99");
    newer.close();
    expect(() => openForWriting(other)).toThrow("newer daemon");
  });

  test.each(["DELETE", "WAL"])("of another program is left unchanged, with journal mode %s", (mode) => {
    const file = join(folder, "other", "other.db");
    mkdirSync(dirname(file));
    const other = new DatabaseSync(file);
    other.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE t (a)`);
    other.close();
    const before = readFileSync(file);
    expect(() => openForWriting(file)).toThrow("another program");
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(dirname(file))).toEqual(["other.db"]);
  });

  test("in a folder that is a file can't be opened", () => {
    writeFileSync(join(folder, "file"), "");
    expect(() => openForWriting(join(folder, "file", "store.db"))).toThrow();
  });

  test("is used by one daemon at a time", () => {
    openForWriting(path).close();
    const release = lockStore(path);
    expect(() => lockStore(path)).toThrow("another daemon");
    release();
    lockStore(path)();
  });
});
