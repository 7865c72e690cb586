import type { Database } from "../store/sqlite/database.ts";
import type { EntryTitle } from "./tree.ts";

/** An entry that was found, with the part of its text that fits best. */
export interface Found extends EntryTitle {
  readonly snippet: string;
  readonly updatedAt: string;
}

const MAX_QUERY = 1_000;
const MAX_WORDS = 24;
const SNIPPET_WORDS = 40;
/** The beginning of a word says something only if it is not too short. */
const MIN_PREFIX = 3;

/**
 * Finds entries by words, in any order and with any ending; the more of them and the rarer they are, the better. What the index
 * has no words for, such as `C++` or a part of a Chinese sentence, is looked for letter by letter.
 */
export function search(db: Database, query: string, limit: number): readonly Found[] {
  const asked = query.slice(0, MAX_QUERY);
  const words = wordsOf(asked);
  const byWords = words.length > 0 ? searchWords(db, words, limit) : [];
  return byWords.length > 0 ? byWords : searchLetters(db, asked.trim(), limit);
}

/** Words that say nothing about what is looked for; in a small memory the index would take them for rare ones. */
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

/** Nothing but quoted words reaches the index, so nothing in a query means more than itself. */
function searchWords(db: Database, words: readonly string[], limit: number): readonly Found[] {
  const match = words.map((word) => (word.length < MIN_PREFIX ? `"${word}"` : `"${word}"*`)).join(" OR ");
  // The part that fits is looked for only where it is shown, for that takes longest.
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
