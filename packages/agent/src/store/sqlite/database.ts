import { closeSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { makeFolder } from "@agentwire/local/files";
import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { UsageError } from "../../usage-error.ts";
import { describeFailure } from "./failure.ts";
import { stayingInPlace } from "./in-place.ts";
import { MIGRATIONS } from "./migrations.ts";
import { onlyPathOf } from "./one-name.ts";
import { APPLICATION_ID, BUSY_MS, numberOf, refuseForeign } from "./owner.ts";

/** An open database. */
export interface Database {
  /** The file, from the root and without symbolic links. */
  readonly path: string;
  /** A statement, prepared when it is first asked for. */
  statement(sql: string): StatementSyncInstance;
  /**
   * Runs something that happens as a whole or not at all; inside another one it is part of that. Throws if the file is no longer
   * in its place.
   */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** How a database is opened. */
export interface OpenOptions {
  /** The file has to be there, and is only read. */
  readonly readOnly?: boolean;
}

/** Opens the database at `path`, which is created with its folder if need be; throws a `UsageError` that says what to do. */
export async function openDatabase(path: string, { readOnly = false }: OpenOptions = {}): Promise<Database> {
  const { DatabaseSync } = await import("@photostructure/sqlite");
  let opened: DatabaseSyncInstance | undefined;
  try {
    if (!readOnly) createPrivate(resolve(path));
    const file = onlyPathOf(resolve(path));
    await refuseForeign(file);
    opened = new DatabaseSync(file, { readOnly, timeout: BUSY_MS, enableForeignKeyConstraints: true });
    if (!readOnly) opened.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    migrate(file, opened, readOnly);
    return new OpenDatabase(file, opened);
  } catch (cause) {
    opened?.close();
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`--db ${path}: ${describeFailure(cause)}`, { cause });
  }
}

class OpenDatabase implements Database {
  readonly path: string;
  readonly #db: DatabaseSyncInstance;
  readonly #statements = new Map<string, StatementSyncInstance>();
  readonly #checkPlace: () => void;

  constructor(path: string, db: DatabaseSyncInstance) {
    this.path = path;
    this.#db = db;
    this.#checkPlace = stayingInPlace(path);
  }

  statement(sql: string): StatementSyncInstance {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  transaction<T>(work: () => T): T {
    if (this.#db.isTransaction) return work();
    this.#checkPlace();
    return inTransaction(this.#db, work);
  }

  close(): void {
    this.#statements.clear();
    try {
      // Whoever copies the file then has all of it.
      this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // It stands in the file beside it, which is as good.
    }
    this.#db.close();
  }
}

/** Makes an empty file if there is none. What is said to an agent is nobody else's business; SQLite gives the files beside it the same mode. */
export function createPrivate(file: string): void {
  makeFolder(dirname(file), 0o700);
  closeSync(openSync(file, "a", 0o600));
}

function migrate(file: string, db: DatabaseSyncInstance, readOnly: boolean): void {
  const version = numberOf(db, "user_version");
  if (version > MIGRATIONS.length)
    throw new UsageError(
      `--db ${file}: it was written by a newer agentwire-agent; use that, or another file`,
    );
  if (version === MIGRATIONS.length) return;
  if (readOnly)
    throw new UsageError(
      `--db ${file}: it is empty or was written by an older agentwire-agent; start agentwire-agent once with --stdio`,
    );
  inTransaction(db, () => upgrade(db));
}

/** Brings the tables up to date; another process may have done it while we waited for the lock. */
function upgrade(db: DatabaseSyncInstance): void {
  for (const sql of MIGRATIONS.slice(numberOf(db, "user_version"))) db.exec(sql);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`);
}

function inTransaction<T>(db: DatabaseSyncInstance, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const value = work();
    db.exec("COMMIT");
    return value;
  } catch (error) {
    // Some failures have rolled back already.
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}
