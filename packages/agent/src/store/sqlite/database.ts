import { resolve } from "node:path";
import { createPrivateFile } from "@agentwire/local/files";
import { BUSY_MS, inTransaction, isOwnDatabase, numberOf, upgrade } from "@agentwire/local/sqlite";
import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { UsageError } from "../../usage-error.ts";
import { canonicalPath, replacementCheck } from "./database-file.ts";
import { describeFailure } from "./failure.ts";
import { MIGRATIONS } from "./migrations.ts";

/** The application id in the file's header: "agtw" as a number. */
const APPLICATION_ID = 0x61677477;

/** An open database. */
export interface Database {
  /** The absolute path of the file, without symbolic links. */
  readonly path: string;
  /** Returns a statement, prepared on first use. */
  statement(sql: string): StatementSyncInstance;
  /** Runs work in a transaction; a nested call joins the outer transaction. Throws if the file has been deleted or replaced. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** Options for opening a database. */
export interface OpenOptions {
  /** Requires an existing file and only reads it. */
  readonly readOnly?: boolean;
}

/** Opens the database at `path`, creating the file and its folder if needed; throws a `UsageError` that says what to do. */
export async function openDatabase(path: string, { readOnly = false }: OpenOptions = {}): Promise<Database> {
  const { DatabaseSync } = await import("@photostructure/sqlite");
  let opened: DatabaseSyncInstance | undefined;
  try {
    if (!readOnly) createPrivateFile(resolve(path));
    const file = canonicalPath(resolve(path));
    if (!isOwnDatabase(DatabaseSync, file, APPLICATION_ID))
      throw new UsageError(
        `--db ${file}: this is a database of another program; choose another file for the agent`,
      );
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
    this.#checkPlace = replacementCheck(path);
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
      // After this, a copy of the file is complete.
      this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // The changes are still safe in the log file.
    }
    this.#db.close();
  }
}

function migrate(file: string, db: DatabaseSyncInstance, readOnly: boolean): void {
  const newer = () =>
    new UsageError(
      `--db ${file}: the database was written by a newer agentwire-agent; use that version or another file`,
    );
  const version = numberOf(db, "user_version");
  if (version > MIGRATIONS.length) throw newer();
  if (readOnly && version < MIGRATIONS.length)
    throw new UsageError(
      `--db ${file}: the file is empty or was written by an older agentwire-agent; run agentwire-agent once with --stdio`,
    );
  upgrade(db, {
    applicationId: APPLICATION_ID,
    version: MIGRATIONS.length,
    steps: (from) => MIGRATIONS.slice(from),
    newer,
  });
}
