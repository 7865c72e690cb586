import { statSync, truncateSync } from "node:fs";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { createPrivateFile } from "../files/index.ts";
import { isEmpty, numberOf, type Sqlite } from "./sqlite.ts";

/** One page of SQLite: what a lock may hold. */
const LOCK_BYTES = 4096;

const BUSY = 5;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** What became of a try to get a lock. */
export type Locking =
  | { readonly state: "held"; release(): void }
  /** Another process has it; `holder` is the number that it has left, if it left one. */
  | { readonly state: "busy"; readonly holder: number | undefined; readonly cause: unknown }
  /** The file is another program's. */
  | { readonly state: "foreign" };

/** How a lock is taken. */
export interface LockOptions {
  /** What others see of the holder; without it nothing is written, so that a full disk does not matter. */
  readonly holder?: number;
  /** The content of the file is ours, for no other user can write it. */
  readonly isPrivate?: boolean;
}

/** Takes the lock that a file stands for; the system gives it back however the process ends. Throws what SQLite or the system says. */
export function takeLock(DatabaseSync: Sqlite, file: string, options: LockOptions = {}): Locking {
  createPrivateFile(file);
  const locking = tryLock(DatabaseSync, file, options);
  if (locking.state !== "spoilt") return locking;
  // A power cut has damaged it: it is empty, and a lock that can't be read is not held.
  if (!options.isPrivate && statSync(file).size !== LOCK_BYTES) return { state: "foreign" };
  truncateSync(file);
  const again = tryLock(DatabaseSync, file, options);
  return again.state === "spoilt" ? { state: "foreign" } : again;
}

function tryLock(
  DatabaseSync: Sqlite,
  file: string,
  { holder, isPrivate = false }: LockOptions,
): Locking | { readonly state: "spoilt" } {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    if (!isPrivate && !isEmpty(lock)) {
      lock.close();
      return { state: "foreign" };
    }
    // A transaction that is never ended holds the lock; the version says whose it is.
    lock.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
    if (holder !== undefined) lock.exec(`PRAGMA user_version = ${holder}`);
    lock.exec("BEGIN IMMEDIATE");
    return { state: "held", release: () => letGo(lock) };
  } catch (cause) {
    const code = primaryCode(cause);
    const busy = code === BUSY ? holderOf(lock) : undefined;
    lock.close();
    if (code === CORRUPT || code === NOT_A_DATABASE) return { state: "spoilt" };
    if (code === BUSY) return { state: "busy", holder: busy, cause };
    throw cause;
  }
}

function letGo(lock: DatabaseSyncInstance): void {
  // A statement that was not collected yet keeps a connection with its locks beyond its close.
  if (lock.isTransaction) lock.exec("ROLLBACK");
  lock.close();
}

function holderOf(lock: DatabaseSyncInstance): number | undefined {
  try {
    return numberOf(lock, "user_version") || undefined;
  } catch {
    return undefined;
  }
}

/** SQLite's extended codes carry more in their higher bits. */
function primaryCode(cause: unknown): number | undefined {
  const code = (cause as { readonly errcode?: unknown } | null | undefined)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}
