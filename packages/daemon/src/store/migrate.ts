import { closeSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { MIGRATIONS, type Migration } from "./schema.ts";
import { StoreError } from "./store-error.ts";

/** Marks a file as a daemon's: "agtd" as a number. */
const APPLICATION_ID = 0x61677464;
/** How long a statement waits for another process, a backup for example. */
export const BUSY_MS = 5000;
/** Stores of lower versions may lack any of the parts up to here: versions were once counted on several branches. */
const COUNTED_FROM = 5;

/** Makes an empty store; it has its name when all of it is there, so a file without content is never a new store. */
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

/**
 * Throws unless a file is a store of ours. Opening it to write would roll back its journal, and closing it would move its log
 * into it: we look at it without.
 */
export function mustBeOurs(path: string): void {
  if (statSync(path).size === 0)
    throw new StoreError(
      "corrupt",
      `${path} is empty, so it was truncated: restore a backup, or delete it to start with an empty store`,
    );
  const address = pathToFileURL(path);
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  address.search = hasLog ? "mode=ro" : "immutable=1";
  const db = new DatabaseSync(address, { timeout: BUSY_MS, readOnly: true });
  try {
    if (numberOf(db, "application_id") === APPLICATION_ID) return;
    if (numberOf(db, "user_version") === 0 && isEmpty(db)) return;
    throw new StoreError("foreign", `${path} belongs to another program: choose another file for the daemon`);
  } finally {
    db.close();
  }
}

/** Brings a store up to date; one that is so is only read. */
export function migrate(db: DatabaseSyncInstance, path: string): void {
  if (numberOf(db, "user_version") === MIGRATIONS.length) return;
  db.exec("BEGIN IMMEDIATE");
  try {
    const version = numberOf(db, "user_version");
    if (version > MIGRATIONS.length)
      throw new StoreError("foreign", `${path} was written by a newer daemon: run that version`);
    // The very first stores marked deltas in another way.
    if (has(db, "events.is_delta"))
      db.exec("ALTER TABLE events ADD COLUMN delta_of TEXT; ALTER TABLE events DROP COLUMN is_delta");
    for (const { sql } of missing(db, version)) db.exec(sql);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`);
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function missing(db: DatabaseSyncInstance, version: number): readonly Migration[] {
  return version < COUNTED_FROM
    ? MIGRATIONS.filter(({ makes }) => !has(db, makes))
    : MIGRATIONS.slice(version);
}

/** Whether a table, an index or, as `table.column`, a column is there. */
function has(db: DatabaseSyncInstance, what: string): boolean {
  const [name = "", column] = what.split(".");
  const found =
    column === undefined
      ? db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(name)
      : db.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = ?").get(name, column);
  return found !== undefined;
}

const isEmpty = (db: DatabaseSyncInstance) => db.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;

/** Of which version a store is; throws a `StoreError` if it is none of ours, or newer than we are. */
export function versionIn(db: DatabaseSyncInstance, path: string): number {
  const version = numberOf(db, "user_version");
  if (numberOf(db, "application_id") !== APPLICATION_ID)
    throw new StoreError("foreign", `${path} is not a daemon's store`);
  if (version > MIGRATIONS.length)
    throw new StoreError("foreign", `${path} was written by a newer daemon: install that version`);
  return version;
}

function numberOf(db: DatabaseSyncInstance, pragma: "user_version" | "application_id"): number {
  const row = db.prepare(`PRAGMA ${pragma}`).get() as Readonly<Record<string, number>>;
  return row[pragma] ?? 0;
}
