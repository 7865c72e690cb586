import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isOwnDatabase, type Layout, numberOf, upgrade } from "../../src/sqlite/index.ts";

const OURS = 0x6f757273;
let folder = "";
let path = "";
let db: DatabaseSyncInstance;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-upgrade-"));
  path = join(folder, "some.db");
  db = new DatabaseSync(path);
});
afterEach(() => {
  if (db.isOpen) db.close();
  rmSync(folder, { recursive: true, force: true });
});

const layout = (...migrations: readonly string[]): Layout => ({
  applicationId: OURS,
  version: migrations.length,
  steps: (from) => migrations.slice(from),
  newer: () => new Error("newer"),
});

describe("the owner of a database", () => {
  test("is determined by its application id, and an empty database can be claimed", () => {
    expect(isOwnDatabase(DatabaseSync, path, OURS)).toBe(true);
    upgrade(db, layout("CREATE TABLE a (x)"));
    expect(isOwnDatabase(DatabaseSync, path, OURS)).toBe(true);
    expect(isOwnDatabase(DatabaseSync, path, OURS + 1)).toBe(false);
  });

  test("is determined without changing the file, its log or its folder", () => {
    db.exec("PRAGMA journal_mode = WAL; CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)");
    const look = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).length]);
    const before = look();
    expect(before.map(([name]) => name)).toContain("some.db-wal");
    expect(isOwnDatabase(DatabaseSync, path, OURS)).toBe(false);
    expect(look()).toEqual(before);
  });

  test("is determined without creating other files if there is no log", () => {
    db.exec("CREATE TABLE theirs (x)");
    expect(isOwnDatabase(DatabaseSync, path, OURS)).toBe(false);
    expect(readdirSync(folder)).toEqual(["some.db"]);
  });
});

describe("an upgrade", () => {
  test("applies each missing step once", () => {
    upgrade(db, layout("CREATE TABLE a (x)"));
    upgrade(db, layout("CREATE TABLE a (x)", "CREATE TABLE b (x)"));
    upgrade(db, layout("CREATE TABLE a (x)", "CREATE TABLE b (x)"));
    expect(numberOf(db, "user_version")).toBe(2);
    expect(db.prepare("SELECT count(*) AS n FROM sqlite_schema").get()).toEqual({ n: 2 });
  });

  test("that fails halfway leaves the database unchanged", () => {
    expect(() => upgrade(db, layout("CREATE TABLE a (x)", "no statement"))).toThrow();
    expect(numberOf(db, "user_version")).toBe(0);
    expect(db.isTransaction).toBe(false);
    upgrade(db, layout("CREATE TABLE a (x)"));
  });

  test("of a database written by a newer program is refused", () => {
    upgrade(db, layout("CREATE TABLE a (x)", "CREATE TABLE b (x)"));
    expect(() => upgrade(db, layout("CREATE TABLE a (x)"))).toThrow("newer");
    expect(numberOf(db, "user_version")).toBe(2);
  });
});
