import type { Database } from "../store/sqlite/database.ts";
import { type SessionMark, sessionMarks } from "./marks.ts";
import { waitingTokens } from "./material.ts";

/** What there is in long-term memory, and what is still to go into it. */
export interface MemoryStatistics {
  /** Entries that are not archived. */
  readonly entries: number;
  readonly archived: number;
  /** Earlier versions that are kept. */
  readonly versions: number;
  /** Of all entries that are not archived, titles included. */
  readonly characters: number;
  /** In the order of their slugs, archived ones included. */
  readonly tree: readonly {
    readonly slug: string;
    readonly title: string;
    readonly version: number;
    readonly is_archived: boolean;
    readonly updated_at: string;
  }[];
  /** The last consolidation of each session that has had one. */
  readonly consolidations: readonly SessionMark[];
  /** Tokens that have not been consolidated, by session. */
  readonly waiting: readonly { readonly session_id: string; readonly tokens: number }[];
}

/** Looks at the memory without changing anything. */
export function memoryStatistics(db: Database): MemoryStatistics {
  const rows = db
    .statement(`SELECT slug, title, version, is_archived, updated_at FROM memory_entries ORDER BY slug`)
    .all();
  const tree = rows.map((row) => ({
    ...row,
    is_archived: row.is_archived === 1,
  })) as MemoryStatistics["tree"];
  const archived = tree.filter(({ is_archived }) => is_archived).length;
  return {
    entries: tree.length - archived,
    archived,
    versions: numberOf(db, "SELECT count(*) AS n FROM memory_versions"),
    characters: numberOf(
      db,
      "SELECT sum(length(title) + length(body)) AS n FROM memory_entries WHERE is_archived = 0",
    ),
    tree,
    consolidations: sessionMarks(db),
    waiting: [...waitingTokens(db)].map(([session_id, tokens]) => ({ session_id, tokens })),
  };
}

const numberOf = (db: Database, sql: string) => Number(db.statement(sql).get()?.n ?? 0);
