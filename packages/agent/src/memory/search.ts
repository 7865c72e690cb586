import type { Database } from "../store/sqlite/database.ts";
import type { EntryTitle } from "./tree.ts";

/** A found entry, with the best-matching part of its text. */
export interface Found extends EntryTitle {
  readonly snippet: string;
  readonly updatedAt: string;
}

const MAX_QUERY = 1_000;
const MAX_WORDS = 24;
const SNIPPET_WORDS = 40;
/** Shorter beginnings of words match too much to be useful. */
const MIN_PREFIX = 3;

/**
 * Finds entries by words, in any order and with any ending; the more words match and the rarer they are, the better. Text that
 * the index can't split into words, such as `C++` or a part of a Chinese sentence, is searched for as a substring.
 */
export function search(db: Database, query: string, limit: number): readonly Found[] {
  const asked = query.slice(0, MAX_QUERY);
  const words = wordsOf(asked);
  const byWords = words.length > 0 ? searchWords(db, words, limit) : [];
  return byWords.length > 0 ? byWords : searchLetters(db, asked.trim(), limit);
}

/** Words without meaning for a search; in a small memory the index would consider them rare. */
const FILLERS: ReadonlySet<string> = new Set(
  "a about an and are at by can did do does for from how i in is it my of on or our that the this to was we what when where which why with you your".split(
    " ",
  ),
);

function wordsOf(text: string): readonly string[] {
  const words = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(([word]) => word);
  const telling = words.filter((word) => !FILLERS.has(word.toLowerCase()));
  return (telling.length > 0 ? telling : words).slice(0, MAX_WORDS);
}

/** Only quoted words reach the index, so nothing in a query is interpreted as syntax. */
function searchWords(db: Database, words: readonly string[], limit: number): readonly Found[] {
  const match = words.map((word) => (word.length < MIN_PREFIX ? `"${word}"` : `"${word}"*`)).join(" OR ");
  // Excerpts are the slowest part, so they are computed only for the shown entries.
  const rows = db
    .statement(
      `SELECT e.slug, e.title, snippet(memory_index, 2, '', '', '…', ${SNIPPET_WORDS}) AS snippet,
         e.updated_at AS updatedAt
         FROM (SELECT rowid AS id, bm25(memory_index, 4, 6, 1) AS points FROM memory_index
           WHERE memory_index MATCH ?1 ORDER BY points, rowid LIMIT ?2) best
         JOIN memory_entries e ON e.id = best.id
         JOIN memory_index ON memory_index.rowid = best.id
         WHERE memory_index MATCH ?1 ORDER BY best.points, e.slug`,
    )
    .all(match, limit);
  return rows.map((row) => ({ ...row }) as unknown as Found);
}

const SNIPPET_CHARS = 200;

function searchLetters(db: Database, text: string, limit: number): readonly Found[] {
  const wanted = text.replaceAll("\0", "").toLowerCase();
  if (wanted === "") return [];
  const rows = db
    .statement(
      `SELECT slug, title, substr(body, max(1, instr(lower(body), ?1) - ${SNIPPET_CHARS / 2}), ${SNIPPET_CHARS}) AS snippet,
         updated_at AS updatedAt
         FROM memory_entries WHERE is_archived = 0
           AND (instr(lower(title), ?1) > 0 OR instr(lower(body), ?1) > 0 OR instr(slug, ?1) > 0)
         ORDER BY instr(lower(title), ?1) = 0, updated_at DESC, slug LIMIT ?2`,
    )
    .all(wanted, limit);
  return rows.map((row) => ({ ...row }) as unknown as Found);
}
