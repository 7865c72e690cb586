import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Locking, takeLock } from "@agentwire/local/sqlite";
import { DatabaseSync } from "@photostructure/sqlite";
import { StoreError } from "../store-error.ts";
import { isSqliteError, toStoreError } from "./sqlite-error.ts";

/** Whether a daemon uses the store of a folder. */
export function isStoreInUse(folder: string): boolean {
  const path = join(folder, "agentwire.db");
  try {
    // Checking must not create a lock file.
    if (existsSync(lockOf(path))) lockStore(path)();
    return false;
  } catch (error) {
    return error instanceof StoreError && error.code === "busy";
  }
}

/** Locks a store against other daemons until it is released; the system releases it when the process dies in any way. */
export function lockStore(path: string): () => void {
  const file = lockOf(path);
  const locking = locked(file);
  if (locking.state === "held") return locking.release;
  if (locking.state === "foreign") throw new StoreError("failed", `${file} can't be used: delete it`);
  throw new StoreError(
    "busy",
    `another daemon uses ${path}: stop it first, or give this one its own folder`,
    locking,
  );
}

/** A file of another kind in place of the lock must not prevent the start. */
function locked(file: string): Locking {
  try {
    return takeLock(DatabaseSync, file, { isPrivate: true });
  } catch (cause) {
    // A system error about the folder is reported as it is.
    throw isSqliteError(cause) ? toStoreError(cause, file) : cause;
  }
}

const lockOf = (path: string) => `${path}.lock`;
