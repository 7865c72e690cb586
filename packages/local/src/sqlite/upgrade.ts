import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { BUSY_MS, inTransaction, isEmpty, numberOf, type Sqlite } from "./sqlite.ts";

/** Which database a program wants. */
export interface Layout {
  /** Marks a file as the program's own. */
  readonly applicationId: number;
  /** The version of its tables. */
  readonly version: number;
  /** The statements that lead from an earlier version to this one; each may depend on what those before it did. */
  steps(from: number): Iterable<string>;
  /** What to throw for a database that a newer program has written. */
  newer(): Error;
}

/** Brings a database up to date, as a whole or not at all; one that is so is only read. */
export function upgrade(db: DatabaseSyncInstance, { applicationId, version, steps, newer }: Layout): void {
  if (numberOf(db, "user_version") === version) return;
  inTransaction(db, () => {
    // Another process may have done it while we waited for the lock.
    const from = numberOf(db, "user_version");
    if (from > version) throw newer();
    for (const sql of steps(from)) db.exec(sql);
    db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`);
  });
}

/**
 * Whether a database is marked as a program's own, or has nothing in it yet. Nothing is changed for that: opening a file to
 * write rolls back its journal, and closing it moves its write-ahead log into it.
 */
export function isOwnDatabase(DatabaseSync: Sqlite, path: string, applicationId: number): boolean {
  const address = pathToFileURL(path);
  // Without a log, everything is in the file itself, and no files have to be made beside it to read it.
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
