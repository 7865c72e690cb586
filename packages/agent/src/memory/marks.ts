import type { Database } from "../store/sqlite/database.ts";
import type { SessionMaterial } from "./material.ts";

/** What a consolidation changed, and the model's summary of it. */
export interface Consolidated {
  readonly created: number;
  readonly updated: number;
  readonly archived: number;
  readonly summary: string;
}

/** The last consolidation of a session, prepared for display. */
export interface SessionMark {
  readonly session_id: string;
  readonly consolidated_at: string;
  readonly entries_created: number;
  readonly entries_updated: number;
  readonly entries_archived: number;
  readonly summary: string;
}

/** Marks material as consolidated, so that it is never consolidated again. */
export function setMarks(db: Database, material: readonly SessionMaterial[], outcome: Consolidated): void {
  const { created, updated, archived, summary } = outcome;
  const time = new Date().toISOString();
  db.transaction(() => {
    for (const { sessionId, upTo } of material)
      db.statement(
        `INSERT INTO memory_marks
           (session_id, seq, consolidated_at, entries_created, entries_updated, entries_archived, summary)
           SELECT id, ?, ?, ?, ?, ?, ? FROM sessions WHERE id = ?
           ON CONFLICT (session_id) DO UPDATE SET seq = max(seq, excluded.seq),
             consolidated_at = excluded.consolidated_at, entries_created = excluded.entries_created,
             entries_updated = excluded.entries_updated, entries_archived = excluded.entries_archived,
             summary = excluded.summary`,
      ).run(upTo, time, created, updated, archived, summary, sessionId);
  });
}

/** The last consolidation of each session that has had one, newest first. */
export function sessionMarks(db: Database): readonly SessionMark[] {
  return db
    .statement(
      `SELECT session_id, consolidated_at, entries_created, entries_updated, entries_archived, summary
         FROM memory_marks ORDER BY consolidated_at DESC, session_id`,
    )
    .all() as unknown as readonly SessionMark[];
}
