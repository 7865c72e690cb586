import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";
import { eventSum } from "../event-sum.ts";
import { openForReading, openForWriting, type Row } from "../sqlite/database.ts";
import { lockStore } from "../sqlite/lock.ts";
import { StoreError } from "../store-error.ts";
import { connect } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { NodeLines } from "./node-lines.ts";
import { toStoreError } from "./postgres-error.ts";
import { placeOf } from "./server-list.ts";
import { shownOf } from "./statements.ts";

/** How many rows are inserted per statement. */
const BATCH = 200;

/** The tables to copy, in order, and how their rows differ in the database. */
const TABLES: Readonly<Record<string, { readonly order: string; readonly change?: (row: Row) => object }>> = {
  sessions: { order: "id" },
  events: {
    order: "session_id, seq",
    // Events of old daemons have no checksum.
    change: ({ seq, body, sum }) => ({ sum: sum ?? eventSum(Number(seq), body as Uint8Array), packed: 1 }),
  },
  prompts: {
    order: "session_id, seq",
    change: ({ content }) => ({ shown: shownOf({ json: String(content) }) }),
  },
  questions: { order: "rowid" },
  rules: { order: "created_ms", change: ({ granted }) => ({ granted: granted === 1 }) },
  tokens: { order: "created_ms" },
  audit: { order: "seq" },
  usage: { order: "session_id", change: (row) => ({ is_incomplete: row.is_incomplete === 1 }) },
  usage_seen: { order: "session_id" },
  budgets: { order: "scope, owner" },
};

/** The result of a copy. */
export interface CopiedStore {
  readonly place: string;
  /** The number of rows by table. */
  readonly copied: Readonly<Record<string, number>>;
}

/** The node that will own the copy. */
interface NewOwner {
  readonly id: string;
  readonly isShared: (cwd: string) => boolean;
}

/**
 * Copies the store of a folder, which no daemon may be using, into an empty database: all of it or nothing. The file stays
 * unchanged. Throws a `StoreError`.
 */
export async function copyStore(folder: string, url: string, owner: NewOwner): Promise<CopiedStore> {
  const path = join(folder, "agentwire.db");
  if (!existsSync(path)) throw new StoreError("gone", `there is no store in ${folder}`);
  const unlock = lockStore(path);
  const place = placeOf(url);
  try {
    // Upgrades an older store first.
    openForWriting(path).close();
    const client = await connect(url);
    try {
      await migrate(client, place);
      const copied = await copyTables(client, path, place, owner);
      return { place, copied: { ...copied, raw_lines: copyLines(path, folder) } };
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    throw toStoreError(error, place);
  } finally {
    unlock();
  }
}

async function copyTables(client: Client, path: string, place: string, { id, isShared }: NewOwner) {
  const db = openForReading(path);
  const copied: Record<string, number> = {};
  await client.query("BEGIN");
  try {
    const { rows } = await client.query("SELECT FROM sessions UNION ALL SELECT FROM audit LIMIT 1");
    if (rows.length > 0)
      throw new StoreError("foreign", `${place} is in use already: give a database that is empty`);
    for (const [table, { order, change }] of Object.entries(TABLES)) {
      const columns = await columnsOf(client, table);
      let batch: unknown[][] = [];
      let count = 0;
      for (const row of db.statement(`SELECT * FROM ${table} ORDER BY ${order}`).iterate()) {
        const own =
          table === "sessions"
            ? { owner: id, workspace: isShared(String(row.cwd)) ? "shared" : "pinned" }
            : {};
        const all: Record<string, unknown> = { ...row, ...change?.(row), ...own, node: id };
        batch.push(columns.map((column) => storedAs(all[column])));
        count++;
        if (batch.length < BATCH) continue;
        await insert(client, table, columns, batch);
        batch = [];
      }
      if (batch.length > 0) await insert(client, table, columns, batch);
      copied[table] = count;
    }
    await client.query("COMMIT");
    return copied;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  } finally {
    db.close();
  }
}

/** Lines stay on this machine, in the file of the node. */
function copyLines(path: string, folder: string): number {
  const db = openForReading(path);
  const lines = new NodeLines(folder, (error) => {
    throw error;
  });
  let count = 0;
  try {
    for (const { session_id, seq, line } of db.statement("SELECT * FROM raw_lines").iterate()) {
      const text = Buffer.from(line as Uint8Array).toString("utf8");
      lines.take([{ type: "keepLine", sessionId: String(session_id), seq: Number(seq), line: text }]);
      count++;
    }
    return count;
  } finally {
    lines.close();
    db.close();
  }
}

/** The columns of a table, except those that the database fills in. */
async function columnsOf(client: Client, table: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 AND is_identity = 'NO' AND is_generated = 'NEVER'
     ORDER BY ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => name);
}

const storedAs = (value: unknown) =>
  value instanceof Uint8Array
    ? Buffer.from(value)
    : typeof value === "string"
      ? value.replaceAll("\0", "\uFFFD")
      : (value ?? null);

async function insert(
  client: Client,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  let at = 0;
  const places = rows.map((row) => `(${row.map(() => `$${++at}`).join(", ")})`);
  await client.query(`INSERT INTO ${table} (${columns.join(", ")}) VALUES ${places.join(", ")}`, rows.flat());
}
