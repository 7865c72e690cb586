import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { makePrivateFolder } from "@agentwire/local/files";
import { BUSY_MS } from "@agentwire/local/sqlite";
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from "@photostructure/sqlite";
import { auditHash } from "../audit-hash.ts";
import { longerSum } from "../event-sum.ts";
import type { StoreError } from "../store-error.ts";
import { checkOwner, makeStore, migrate, versionIn } from "./migrate.ts";
import { MIGRATIONS } from "./schema.ts";
import { toStoreError } from "./sqlite-error.ts";

/** After how many pages of 4 KB SQLite's write-ahead log is copied into the file. */
const WAL_PAGES = 4000;

/** A value that statements accept and return. */
export type SqlValue = string | number | null | Uint8Array;

/** A row by column names. */
export type Row = Readonly<Record<string, SqlValue>>;

/** A prepared statement; all methods throw a `StoreError`. */
export interface Statement {
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): readonly Row[];
  iterate(...values: readonly SqlValue[]): Iterable<Row>;
  /** Returns the number of rows that it changed. */
  run(...values: readonly SqlValue[]): number;
}

/** An open database with its statements, each prepared on first use. */
export interface Database {
  readonly path: string;
  /** Called with the outcome of each statement: undefined for success. */
  onUse: (error: StoreError | undefined) => void;
  statement(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

/** Opens a database for writing; creates it with its folder if necessary, and upgrades it. */
export function openForWriting(path: string): Database {
  return guarded(path, () => {
    makePrivateFolder(dirname(path));
    if (!existsSync(path)) makeStore(path);
    // An up-to-date store is only read below.
    accessSync(path, constants.W_OK);
    checkOwner(path);
    const db = new DatabaseSync(path, { timeout: BUSY_MS });
    try {
      // Acknowledged writes survive a power cut; commits are shared, so this costs little.
      db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      // Each commit rewrites the pages at the end of replies: the less often they are copied into the file, the less is written.
      db.exec(`PRAGMA wal_autocheckpoint = ${WAL_PAGES}`);
      migrate(db, path);
      db.function("audit_hash", { deterministic: true, varargs: true }, hashOf);
      db.function("longer_sum", { deterministic: true }, (sum: number | null, more: Uint8Array) =>
        sum === null ? null : longerSum(sum, more),
      );
    } catch (error) {
      db.close();
      throw error;
    }
    return database(path, db);
  });
}

/** Opens a database that a writer has upgraded, for reading in parallel. */
export function openForReading(path: string): Database {
  return guarded(path, () => database(path, new DatabaseSync(path, { timeout: BUSY_MS, readOnly: true })));
}

/** An empty database in memory, in place of a file that can't be read. */
export function emptyDatabase(path: string): Database {
  const db = new DatabaseSync(":memory:");
  for (const { sql } of MIGRATIONS) db.exec(sql);
  return database(path, db);
}

function hashOf(
  before: string,
  seq: number,
  timeMs: number,
  ...texts: [string, string, string, string, string]
) {
  const [kind, actor, action, subject, detail] = texts;
  return auditHash(before, { seq, timeMs, kind, actor, action, subject, detail });
}

function database(path: string, db: DatabaseSyncInstance): Database {
  const statements = new Map<string, Statement>();
  const told = <T>(use: () => T): T => {
    try {
      const result = use();
      opened.onUse(undefined);
      return result;
    } catch (cause) {
      const error = toStoreError(cause, path);
      opened.onUse(error);
      throw error;
    }
  };
  const opened: Database = {
    path,
    onUse: () => {},
    statement(sql) {
      const known =
        statements.get(sql) ??
        statement(
          told(() => db.prepare(sql)),
          told,
        );
      statements.set(sql, known);
      return known;
    },
    exec: (sql) => told(() => db.exec(sql)),
    close() {
      statements.clear();
      db.close();
    },
  };
  return opened;
}

function statement(prepared: StatementSyncInstance, told: <T>(use: () => T) => T): Statement {
  return {
    get: (...values) => told(() => prepared.get(...values)) as Row | undefined,
    all: (...values) => told(() => prepared.all(...values)) as unknown as readonly Row[],
    *iterate(...values) {
      const rows = told(() => prepared.iterate(...values)) as Iterator<Row>;
      try {
        for (let next = told(() => rows.next()); !next.done; next = told(() => rows.next())) yield next.value;
      } finally {
        rows.return?.();
      }
    },
    run: (...values) => told(() => Number(prepared.run(...values).changes)),
  };
}

/** The version of a store; throws a `StoreError` if it belongs to another program, or is newer than this daemon. */
export function versionOf(path: string): number {
  return guarded(path, () => {
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      return versionIn(db, path);
    } finally {
      db.close();
    }
  });
}

function guarded<T>(path: string, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    throw toStoreError(cause, path);
  }
}
