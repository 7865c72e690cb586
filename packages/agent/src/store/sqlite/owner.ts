import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { UsageError } from "../../usage-error.ts";

/** Marks a file as ours: "agtw" as a number. */
export const APPLICATION_ID = 0x61677477;

/** How long a statement waits for another process to finish writing. */
export const BUSY_MS = 5000;

/**
 * Throws a `UsageError` for a database of another program. Nothing is changed for that: opening a file to write rolls back its
 * journal, and closing it moves its write-ahead log into it.
 */
export async function refuseForeign(file: string): Promise<void> {
  const { DatabaseSync } = await import("@photostructure/sqlite");
  const address = pathToFileURL(file);
  // Without a log, everything is in the file itself, and no files have to be made beside it to read it.
  address.search = sizeOf(`${file}-wal`) > 0 ? "mode=ro" : "immutable=1";
  const db = new DatabaseSync(address, { readOnly: true, timeout: BUSY_MS });
  try {
    if (!isOurs(db))
      throw new UsageError(
        `--db ${file}: it is a database of another program; choose another file for the agent`,
      );
  } finally {
    db.close();
  }
}

/** Marked as ours, or nothing is in it yet. */
function isOurs(db: DatabaseSyncInstance): boolean {
  if (numberOf(db, "application_id") === APPLICATION_ID) return true;
  return numberOf(db, "user_version") === 0 && isEmpty(db);
}

/** Whether a database has no tables. */
export const isEmpty = (db: DatabaseSyncInstance): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;

/** A number from the header of a database. */
export function numberOf(db: DatabaseSyncInstance, pragma: "user_version" | "application_id"): number {
  return Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
