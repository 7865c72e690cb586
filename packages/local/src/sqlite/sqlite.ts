import type { DatabaseSync, DatabaseSyncInstance } from "@photostructure/sqlite";

/** The class that opens databases. Callers pass it in, because it needs a native module that most programs importing us don't use. */
export type Sqlite = typeof DatabaseSync;

/** How long a statement waits for another process, such as a backup. */
export const BUSY_MS = 5000;

/** A number from the header of a database. */
export function numberOf(db: DatabaseSyncInstance, pragma: "user_version" | "application_id"): number {
  return Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
}

/** Whether a database has no tables. */
export const isEmpty = (db: DatabaseSyncInstance): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;

/** Runs work in a transaction: all of it takes effect, or none. */
export function inTransaction<T>(db: DatabaseSyncInstance, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const value = work();
    db.exec("COMMIT");
    return value;
  } catch (error) {
    // Some failures roll back by themselves.
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}
