import { closeSync, existsSync, openSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { StoreError, toStoreError } from "./store-error.ts";

/** Whether a daemon uses the store of a folder. */
export function isStoreInUse(folder: string): boolean {
  const path = join(folder, "agentwire.db");
  try {
    // To look leaves nothing behind.
    if (existsSync(lockOf(path))) lockStore(path)();
    return false;
  } catch (error) {
    return error instanceof StoreError && error.code === "busy";
  }
}

/** Keeps other daemons away from a store until it is released; the system releases it when the process dies, however it dies. */
export function lockStore(path: string): () => void {
  const file = lockOf(path);
  closeSync(openSync(file, "a", 0o600));
  const lock = locked(path, file) ?? emptied(path, file);
  return () => lock.close();
}

/** Undefined if the lock can't be had because of what is in its file, which nobody has then. */
function locked(path: string, file: string): DatabaseSyncInstance | undefined {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (cause) {
    lock.close();
    const error = toStoreError(cause, file);
    if (error.code === "corrupt") return undefined;
    if (error.code !== "busy") throw error;
    throw new StoreError(
      "busy",
      `another daemon uses ${path}: stop it first, or give this one its own folder`,
      { cause },
    );
  }
}

/** A lock needs no content: what somebody has put there is no reason not to start. */
function emptied(path: string, file: string): DatabaseSyncInstance {
  truncateSync(file);
  const lock = locked(path, file);
  if (!lock) throw new StoreError("failed", `${file} can't be used: delete it`);
  return lock;
}

const lockOf = (path: string) => `${path}.lock`;
