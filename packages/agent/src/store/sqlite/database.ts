import { resolve } from "node:path";
import { createPrivateFile } from "@agentwire/local/files";
import { BUSY_MS, inTransaction, isOwnDatabase, numberOf, upgrade } from "@agentwire/local/sqlite";
import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { UsageError } from "../../usage-error.ts";
import { canonicalPath, replacementCheck } from "./database-file.ts";
import { describeFailure } from "./failure.ts";
import { MIGRATIONS } from "./migrations.ts";

/** Marks a file as ours: "agtw" as a number. */
const APPLICATION_ID = 0x61677477;

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
    if (!readOnly) createPrivateFile(resolve(path));
    const file = canonicalPath(resolve(path));
    if (!isOwnDatabase(DatabaseSync, file, APPLICATION_ID))
      throw new UsageError(
        `--db ${file}: it is a database of another program; choose another file for the agent`,
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
      // A copy of the file is then complete.
      this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // It stands in the file beside it, which is as good.
    }
    this.#db.close();
  }
}

function migrate(file: string, db: DatabaseSyncInstance, readOnly: boolean): void {
  const newer = () =>
    new UsageError(`--db ${file}: it was written by a newer agentwire-agent; use that, or another file`);
  const version = numberOf(db, "user_version");
  if (version > MIGRATIONS.length) throw newer();
  if (readOnly && version < MIGRATIONS.length)
    throw new UsageError(
      `--db ${file}: it is empty or was written by an older agentwire-agent; start agentwire-agent once with --stdio`,
    );
  upgrade(db, {
    applicationId: APPLICATION_ID,
    version: MIGRATIONS.length,
    steps: (from) => MIGRATIONS.slice(from),
    newer,
  });
}
