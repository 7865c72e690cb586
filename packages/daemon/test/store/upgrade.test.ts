import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { openForWriting, versionOf } from "../../src/store/sqlite/database.ts";
import { MIGRATIONS } from "../../src/store/sqlite/schema.ts";

const OURS = 0x61677464;

/** A store as created by an earlier version of the daemon. */
function oldStore(path: string, version: number): void {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA application_id = ${OURS}`);
  for (const { sql } of MIGRATIONS.slice(0, version)) db.exec(sql);
  db.exec(`PRAGMA user_version = ${version}`);
  db.exec(
    `INSERT INTO sessions (id, title, cwd, agent, model, mode, status, created_ms, updated_ms)
     VALUES ('old', '', '/old', 'agentwire', '', 'default', 1, 1, 2)`,
  );
  db.close();
}

test.each(MIGRATIONS.map((_, index) => index + 1))(
  "a store of version %i is upgraded with its content",
  (version) => {
    const folder = mkdtempSync(join(tmpdir(), "agentwire-upgrade-"));
    const path = join(folder, "agentwire.db");
    try {
      oldStore(path, version);
      const db = openForWriting(path);
      expect(db.statement("SELECT id, cwd FROM sessions").all()).toMatchObject([{ id: "old", cwd: "/old" }]);
      db.close();
      expect(versionOf(path)).toBe(MIGRATIONS.length);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
