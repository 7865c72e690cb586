import type { Database } from "../store/sqlite/database.ts";
import { type SessionMark, sessionMarks } from "./marks.ts";
import { waitingTokens } from "./material.ts";

/** The contents of long-term memory, and what has yet to be consolidated. */
export interface MemoryStatistics {
  /** Entries that are not archived. */
  readonly entries: number;
  readonly archived: number;
  /** Earlier versions that are stored. */
  readonly versions: number;
  /** The total of all entries that are not archived, including titles. */
  readonly characters: number;
  /** Sorted by slug, including archived entries. */
  readonly tree: readonly {
    readonly slug: string;
    readonly title: string;
    readonly version: number;
    readonly is_archived: boolean;
    readonly updated_at: string;
  }[];
  /** The last consolidation of each session that has had one. */
  readonly consolidations: readonly SessionMark[];
  /** Unconsolidated tokens by session. */
  readonly waiting: readonly { readonly session_id: string; readonly tokens: number }[];
}

/** Computes the statistics of the memory; changes nothing. */
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
