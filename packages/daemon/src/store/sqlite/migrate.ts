import { closeSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { isOwnDatabase, numberOf, upgrade } from "@agentwire/local/sqlite";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { StoreError } from "../store-error.ts";
import { MIGRATIONS, type Migration } from "./schema.ts";

/** Marks a file as a daemon's: "agtd" as a number. */
const APPLICATION_ID = 0x61677464;
/** Stores of lower versions may lack any of the parts up to here: versions were once numbered on several branches. */
const COUNTED_FROM = 5;

/** Creates an empty store; it is renamed when complete, so a file without content is never a new store. */
export function makeStore(path: string): void {
  const part = `${path}.new`;
  const files = [part, `${part}-journal`];
  for (const file of files) rmSync(file, { force: true });
  // SQLite gives the files beside it the same mode.
  closeSync(openSync(part, "wx", 0o600));
  try {
    const db = new DatabaseSync(part);
    try {
      migrate(db, part);
    } finally {
      db.close();
    }
    renameSync(part, path);
  } finally {
    for (const file of files) rmSync(file, { force: true });
  }
}

/** Throws unless a file is a daemon's store, without changing anything. */
export function checkOwner(path: string): void {
  if (statSync(path).size === 0)
    throw new StoreError(
      "corrupt",
      `${path} is empty, so it was truncated: restore a backup, or delete it to start with an empty store`,
    );
  if (!isOwnDatabase(DatabaseSync, path, APPLICATION_ID))
    throw new StoreError("foreign", `${path} belongs to another program: choose another file for the daemon`);
}

/** Upgrades a store; an up-to-date one is only read. */
export function migrate(db: DatabaseSyncInstance, path: string): void {
  upgrade(db, {
    applicationId: APPLICATION_ID,
    version: MIGRATIONS.length,
    *steps(from) {
      // The very first stores marked deltas in another way.
      if (has(db, "events.is_delta"))
        yield "ALTER TABLE events ADD COLUMN delta_of TEXT; ALTER TABLE events DROP COLUMN is_delta";
      for (const { sql } of missing(db, from)) yield sql;
    },
    newer: () => new StoreError("foreign", `${path} was written by a newer daemon: run that version`),
  });
}

function missing(db: DatabaseSyncInstance, version: number): readonly Migration[] {
  return version < COUNTED_FROM
    ? MIGRATIONS.filter(({ makes }) => !has(db, makes))
    : MIGRATIONS.slice(version);
}

/** Whether a table, an index or, as `table.column`, a column exists. */
function has(db: DatabaseSyncInstance, what: string): boolean {
  const [name = "", column] = what.split(".");
  const found =
    column === undefined
      ? db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(name)
      : db.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = ?").get(name, column);
  return found !== undefined;
}

/** The version of a store; throws a `StoreError` if it belongs to another program, or is newer than this daemon. */
export function versionIn(db: DatabaseSyncInstance, path: string): number {
  const version = numberOf(db, "user_version");
  if (numberOf(db, "application_id") !== APPLICATION_ID)
    throw new StoreError("foreign", `${path} is not a daemon's store`);
  if (version > MIGRATIONS.length)
    throw new StoreError("foreign", `${path} was written by a newer daemon: install that version`);
  return version;
}
