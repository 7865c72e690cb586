import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { BUSY_MS, inTransaction, isEmpty, numberOf, type Sqlite } from "./sqlite.ts";

/** The database layout that a program expects. */
export interface Layout {
  /** Marks a file as belonging to the program. */
  readonly applicationId: number;
  /** The version of its tables. */
  readonly version: number;
  /** The statements that upgrade from an earlier version to this one; each may depend on the effects of those before it. */
  steps(from: number): Iterable<string>;
  /** The error to throw for a database written by a newer program. */
  newer(): Error;
}

/** Upgrades a database in one transaction; one that is up to date is only read. */
export function upgrade(db: DatabaseSyncInstance, { applicationId, version, steps, newer }: Layout): void {
  if (numberOf(db, "user_version") === version) return;
  inTransaction(db, () => {
    // Another process may have upgraded it while we waited for the lock.
    const from = numberOf(db, "user_version");
    if (from > version) throw newer();
    for (const sql of steps(from)) db.exec(sql);
    db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`);
  });
}

/**
 * Whether a database is marked as the program's, or is still empty. The check opens it read-only, because opening a file for writing
 * rolls back its journal, and closing it merges its write-ahead log.
 */
export function isOwnDatabase(DatabaseSync: Sqlite, path: string, applicationId: number): boolean {
  const address = pathToFileURL(path);
  // Without a log, the file holds everything, and reading it does not have to create other files next to it.
  address.search = sizeOf(`${path}-wal`) > 0 ? "mode=ro" : "immutable=1";
  const db = new DatabaseSync(address, { readOnly: true, timeout: BUSY_MS });
  try {
    if (numberOf(db, "application_id") === applicationId) return true;
    return numberOf(db, "user_version") === 0 && isEmpty(db);
  } finally {
    db.close();
  }
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
