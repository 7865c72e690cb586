import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { inTransaction, numberOf } from "./sqlite.ts";

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
