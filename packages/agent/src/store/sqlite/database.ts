import { closeSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { makeFolder } from "../../make-folder.ts";
import { UsageError } from "../../usage-error.ts";
import { describeFailure } from "./failure.ts";
import { MIGRATIONS } from "./migrations.ts";

/** An open database. */
export interface Database {
  /** The file, from the root. */
  readonly path: string;
  /** A statement, prepared when it is first asked for. */
  statement(sql: string): StatementSyncInstance;
  /** Runs something that happens as a whole or not at all; inside another one it is part of that. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** How a database is opened. */
export interface OpenOptions {
  /** The file has to be there, and is only read. */
  readonly readOnly?: boolean;
}

/** Marks a file as ours: "agtw" as a number. */
const APPLICATION_ID = 0x61677477;
/** How long a statement waits for another process to finish writing. */
const BUSY_MS = 5000;

/** Opens the database at `path`, which is created with its folder if need be; throws a `UsageError` that says what to do. */
export async function openDatabase(path: string, { readOnly = false }: OpenOptions = {}): Promise<Database> {
  const file = resolve(path);
  const { DatabaseSync } = await import("@photostructure/sqlite");
  let opened: DatabaseSyncInstance | undefined;
  try {
    if (!readOnly) createPrivate(file);
    opened = new DatabaseSync(file, { readOnly, timeout: BUSY_MS, enableForeignKeyConstraints: true });
    if (!readOnly) opened.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    const database = new OpenDatabase(file, opened);
    migrate(database, opened, readOnly);
    return database;
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

  constructor(path: string, db: DatabaseSyncInstance) {
    this.path = path;
    this.#db = db;
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
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const value = work();
      this.#db.exec("COMMIT");
      return value;
    } catch (error) {
      // Some failures have rolled back already.
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
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

function migrate(database: Database, db: DatabaseSyncInstance, readOnly: boolean): void {
  const version = numberOf(db, "user_version");
  if (version === 0 ? !readOnly && isEmpty(db) : numberOf(db, "application_id") === APPLICATION_ID) {
    if (version > MIGRATIONS.length)
      throw new UsageError(
        `--db ${database.path}: it was written by a newer agentwire-agent; use that, or another file`,
      );
    if (version < MIGRATIONS.length && readOnly)
      throw new UsageError(
        `--db ${database.path}: it was written by an older agentwire-agent; start it once with --stdio`,
      );
    if (version < MIGRATIONS.length) database.transaction(() => upgrade(db));
    return;
  }
  throw new UsageError(
    `--db ${database.path}: it is a database of another program; choose another file for the agent`,
  );
}

/** Brings the tables up to date; another process may have done it while we waited for the lock. */
function upgrade(db: DatabaseSyncInstance): void {
  for (const sql of MIGRATIONS.slice(numberOf(db, "user_version"))) db.exec(sql);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`);
}

const isEmpty = (db: DatabaseSyncInstance) => db.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;

function numberOf(db: DatabaseSyncInstance, pragma: "user_version" | "application_id"): number {
  return Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
}
