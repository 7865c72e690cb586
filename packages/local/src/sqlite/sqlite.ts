import type { DatabaseSync, DatabaseSyncInstance } from "@photostructure/sqlite";

/** What opens databases. It is handed in: it comes with machine code, and most programs that import us need none of it. */
export type Sqlite = typeof DatabaseSync;

/** How long a statement waits for another process, a backup for example. */
export const BUSY_MS = 5000;

/** A number from the header of a database. */
export function numberOf(db: DatabaseSyncInstance, pragma: "user_version" | "application_id"): number {
  return Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
}

/** Whether a database has no tables. */
export const isEmpty = (db: DatabaseSyncInstance): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;

/** Runs something that happens as a whole or not at all. */
export function inTransaction<T>(db: DatabaseSyncInstance, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const value = work();
    db.exec("COMMIT");
    return value;
  } catch (error) {
    // Some failures have rolled back already.
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}
