import type { IndexedPlace, IndexedText, SearchIndex } from "../search-index.ts";
import type { SqlWrite } from "./batch.ts";
import type { Database, SqlValue } from "./database.ts";

/** The word index of a database. */
export function searchIndex(db: Database): SearchIndex {
  return {
    async find({ words, sessionId, before, limit }) {
      const conditions = ["words MATCH ?", "deleted_ms IS NULL"];
      const values: SqlValue[] = [words.map((word) => `"${word}" *`).join(" ")];
      if (sessionId !== "") {
        conditions.push("t.session_id = ?");
        values.push(sessionId);
      }
      if (before > 0) {
        conditions.push("w.rowid < ?");
        values.push(before);
      }
      const sql = `SELECT t.id AS place, t.session_id AS sessionId, t.seq AS seq FROM words w
        JOIN texts t ON t.id = w.rowid JOIN sessions s ON s.id = t.session_id
        WHERE ${conditions.join(" AND ")} ORDER BY w.rowid DESC LIMIT ?`;
      return db.statement(sql).all(...values, limit) as unknown as readonly IndexedPlace[];
    },
    indexedTo: async (sessionId) =>
      Number(db.statement("SELECT seq FROM indexed WHERE session_id = ?").get(sessionId)?.seq ?? 0),
    behind: async (limit) =>
      db
        .statement(BEHIND)
        .all(limit)
        .map(({ id }) => id as string),
  };
}

const BEHIND = `SELECT id FROM sessions s WHERE deleted_ms IS NULL
  AND (SELECT max(seq) FROM events WHERE session_id = s.id) >
    coalesce((SELECT seq FROM indexed WHERE session_id = s.id), 0)
  ORDER BY updated_ms LIMIT ?`;

/** The statements that add words; events that were deleted in the meantime are skipped. */
export function indexTexts(
  sessionId: string,
  upTo: number,
  texts: readonly IndexedText[],
): readonly SqlWrite[] {
  return [
    ...texts.flatMap(({ seq, words }) => [
      { sql: ADD_TEXT, values: [sessionId, seq] },
      { sql: ADD_WORDS, values: [words.join(" "), sessionId, seq] },
    ]),
    { sql: INDEXED, values: [sessionId, upTo] },
  ];
}

const ADD_TEXT =
  "INSERT OR IGNORE INTO texts (session_id, seq) SELECT session_id, seq FROM events WHERE session_id = ? AND seq = ?";
const ADD_WORDS =
  "INSERT OR REPLACE INTO words (rowid, text) SELECT id, ? FROM texts WHERE session_id = ? AND seq = ?";
const INDEXED = `INSERT INTO indexed (session_id, seq) VALUES (?, ?)
  ON CONFLICT DO UPDATE SET seq = max(seq, excluded.seq)`;

/** The statements that delete the words of a session up to a number. */
export function forgetTexts(sessionId: string, upTo: number): readonly SqlWrite[] {
  const values = [sessionId, upTo];
  return [
    {
      sql: "DELETE FROM words WHERE rowid IN (SELECT id FROM texts WHERE session_id = ? AND seq <= ?)",
      values,
    },
    { sql: "DELETE FROM texts WHERE session_id = ? AND seq <= ?", values },
  ];
}
