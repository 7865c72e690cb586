import type { IndexedPlace, IndexedText, SearchIndex } from "../search-index.ts";
import type { PgStatement, Read } from "./connection.ts";

/** The word index of a database. */
export function searchIndex(read: Read): SearchIndex {
  return {
    find({ words, sessionId, before, limit }) {
      const values: unknown[] = [words.map((word) => `'${word}':*`).join(" & ")];
      const given = (value: unknown) => `$${values.push(value)}`;
      const conditions = ["words @@ $1::tsquery", "deleted_ms IS NULL"];
      if (sessionId !== "") conditions.push(`t.session_id = ${given(sessionId)}`);
      if (before > 0) conditions.push(`t.id < ${given(before)}`);
      return read<IndexedPlace>(
        `SELECT t.id AS place, t.session_id AS "sessionId", t.seq AS seq FROM texts t
         JOIN sessions s ON s.id = t.session_id
         WHERE ${conditions.join(" AND ")} ORDER BY t.id DESC LIMIT ${given(limit)}`,
        ...values,
      );
    },
    async indexedTo(sessionId) {
      const [row] = await read<{ seq: number }>("SELECT seq FROM indexed WHERE session_id = $1", sessionId);
      return row?.seq ?? 0;
    },
    behind: async (limit) => (await read<{ id: string }>(BEHIND, limit)).map(({ id }) => id),
  };
}

const BEHIND = `SELECT id FROM sessions s WHERE deleted_ms IS NULL
  AND (SELECT max(seq) FROM events WHERE session_id = s.id) >
    coalesce((SELECT seq FROM indexed WHERE session_id = s.id), 0)
  ORDER BY updated_ms LIMIT $1`;

/** The statements that add words; events that were deleted in the meantime are skipped. */
export function indexTexts(
  sessionId: string,
  upTo: number,
  texts: readonly IndexedText[],
): readonly PgStatement[] {
  return [
    ...texts.map(({ seq, words }) => ({ text: ADD_TEXT, values: [sessionId, seq, words] })),
    { text: INDEXED, values: [sessionId, upTo] },
  ];
}

const ADD_TEXT = `INSERT INTO texts (session_id, seq, words)
  SELECT session_id, seq, array_to_tsvector($3::text[]) FROM events WHERE session_id = $1 AND seq = $2
  ON CONFLICT (session_id, seq) DO UPDATE SET words = excluded.words`;
const INDEXED = `INSERT INTO indexed AS i (session_id, seq) VALUES ($1, $2)
  ON CONFLICT (session_id) DO UPDATE SET seq = greatest(i.seq, excluded.seq)`;

/** The statement that deletes the words of a session up to a number. */
export const forgetTexts = (sessionId: string, upTo: number): PgStatement => ({
  text: "DELETE FROM texts WHERE session_id = $1 AND seq <= $2",
  values: [sessionId, upTo],
});
