import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { BUSY_MS, isEmpty, numberOf, type Sqlite } from "./sqlite.ts";

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
