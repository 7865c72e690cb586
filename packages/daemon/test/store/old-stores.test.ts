import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { openForWriting, versionOf } from "../../src/store/sqlite/database.ts";
import { MIGRATIONS } from "../../src/store/sqlite/schema.ts";

/** Dumps of stores created by earlier commits, each with a session and an event. */
const STORES = new URL("old-stores/", import.meta.url);

const tablesOf = (path: string) => {
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db.prepare("SELECT type, name FROM sqlite_schema ORDER BY type, name").all();
  const columns = db.prepare("SELECT name FROM pragma_table_info('events') ORDER BY name").all();
  db.close();
  return { rows, columns };
};

test.each(readdirSync(STORES))("the store of %s is upgraded with its content", (name) => {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-old-"));
  try {
    const path = join(folder, "agentwire.db");
    const old = new DatabaseSync(path);
    old.exec(readFileSync(new URL(name, STORES), "utf8"));
    old.close();
    const db = openForWriting(path);
    expect(db.statement("SELECT id, cwd, input_holder FROM sessions").all()).toMatchObject([
      { id: "old", cwd: "/old", input_holder: "" },
    ]);
    expect(db.statement("SELECT seq, delta_of, sum FROM events").all()).toMatchObject([
      { seq: 1, delta_of: null, sum: null },
    ]);
    db.close();
    expect(versionOf(path)).toBe(MIGRATIONS.length);
    const fresh = join(folder, "fresh.db");
    openForWriting(fresh).close();
    expect(tablesOf(path)).toEqual(tablesOf(fresh));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
