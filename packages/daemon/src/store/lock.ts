import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
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
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    lock.close();
    const error = toStoreError(cause, path);
    if (error.code !== "busy") throw error;
    throw new StoreError(
      "busy",
      `another daemon uses ${path}: stop it first, or give this one its own folder`,
      { cause },
    );
  }
  return () => lock.close();
}

const lockOf = (path: string) => `${path}.lock`;
