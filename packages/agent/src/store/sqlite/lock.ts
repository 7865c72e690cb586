import { statSync, truncateSync } from "node:fs";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { UsageError } from "../../usage-error.ts";
import { createPrivate } from "./database.ts";
import { describeFailure, failureCode } from "./failure.ts";
import { isEmpty } from "./owner.ts";

/** The size of a lock: one page of SQLite. */
const LOCK_BYTES = 4096;

/**
 * Makes this process the only one that answers the prompts of a database; throws a `UsageError` if another one does. Readers are
 * not kept out. The system gives the lock back however the process ends.
 */
export async function lockDatabase(path: string): Promise<{ release(): void }> {
  const { DatabaseSync } = await import("@photostructure/sqlite");
  const file = `${path}-lock`;
  createPrivate(file);
  let lock = new DatabaseSync(file);
  try {
    try {
      take(lock, file);
    } catch (error) {
      if (failureCode(error) !== "SQLITE_NOTADB") throw error;
      if (statSync(file).size !== LOCK_BYTES) throw foreignLock(file);
      // A power cut has spoilt it. Nothing is in it, and nobody holds what can't be read.
      lock.close();
      truncateSync(file);
      lock = new DatabaseSync(file);
      take(lock, file);
    }
    return { release: () => lock.close() };
  } catch (cause) {
    const problem =
      failureCode(cause) === "SQLITE_BUSY"
        ? `process ${holderOf(lock)} is using this database; stop it first, or choose another file`
        : describeFailure(cause);
    lock.close();
    throw new UsageError(`--db ${path}: ${problem}`, { cause });
  }
}

/** A transaction that is never ended holds the lock; the version says whose it is. */
function take(lock: DatabaseSyncInstance, file: string): void {
  if (!isEmpty(lock)) throw foreignLock(file);
  lock.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
  lock.exec(`PRAGMA user_version = ${process.pid}; BEGIN IMMEDIATE`);
}

const foreignLock = (file: string) =>
  new Error(`${file} is needed as a lock file, but belongs to another program; move it away`);

const holderOf = (lock: DatabaseSyncInstance) =>
  Object.values(lock.prepare("PRAGMA user_version").get() ?? {})[0];
