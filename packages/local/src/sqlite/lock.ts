import { statSync, truncateSync } from "node:fs";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { createPrivateFile } from "../files/index.ts";
import { isEmpty, numberOf, type Sqlite } from "./sqlite.ts";

/** One SQLite page: the size of a lock file. */
const LOCK_BYTES = 4096;

const BUSY = 5;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** The result of trying to take a lock. */
export type Locking =
  | { readonly state: "held"; release(): void }
  /** Another process holds it; `holder` is the number it recorded, if any. */
  | { readonly state: "busy"; readonly holder: number | undefined; readonly cause: unknown }
  /** The file belongs to another program. */
  | { readonly state: "foreign" };

/** How a lock is taken. */
export interface LockOptions {
  /** The number that identifies the holder to others; without it nothing is written, so a full disk does not matter. */
  readonly holder?: number;
  /** No other user can write to the file, so its content is ours. */
  readonly isPrivate?: boolean;
}

/** Takes the lock that a file represents; the system releases it however the process ends. Throws the error of SQLite or the system. */
export function takeLock(DatabaseSync: Sqlite, file: string, options: LockOptions = {}): Locking {
  createPrivateFile(file);
  const locking = tryLock(DatabaseSync, file, options);
  if (locking.state !== "spoilt") return locking;
  // A power failure damaged it: an unreadable lock is not held, so it can be emptied.
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
    // A transaction that never ends holds the lock; the version records the holder.
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
  // A statement not yet garbage-collected keeps a connection and its locks open after close.
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

/** SQLite's extended codes carry details in their higher bits. */
function primaryCode(cause: unknown): number | undefined {
  const code = (cause as { readonly errcode?: unknown } | null | undefined)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}
