import type { Database } from "../store/sqlite/database.ts";
import { MAX_ARCHIVED, MAX_BODY, MAX_ENTRIES, MAX_TITLE, MAX_VERSIONS } from "./limits.ts";
import { search } from "./search.ts";
import { isSlug, SLUG_FORM } from "./slug.ts";
import type { EntryTitle } from "./tree.ts";

/** Something worth knowing in later sessions. */
export interface MemoryEntry extends EntryTitle {
  readonly body: string;
  /** Starts at 1 and grows with every change. */
  readonly version: number;
  readonly isArchived: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The session that this version was learned in. */
  readonly sourceSession: string;
}

/** An earlier version of an entry. */
export type EntryVersion = Pick<MemoryEntry, "version" | "title" | "body" | "sourceSession"> & {
  readonly writtenAt: string;
};

/** The new content of an entry. */
export type EntryContent = Pick<MemoryEntry, "slug" | "title" | "body" | "sourceSession">;

/** The result of a change; a refusal has a reason for the model to read. */
export type Change =
  | { readonly kind: "created" | "updated" | "archived" | "unchanged" }
  | { readonly kind: "refused"; readonly reason: string };

/** The entries of a database. */
export class MemoryEntries {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns an entry, archived or not. */
  read(slug: string): MemoryEntry | undefined {
    const row = this.#db
      .statement(
        `SELECT slug, title, body, version, is_archived AS isArchived, created_at AS createdAt,
           updated_at AS updatedAt, source_session AS sourceSession FROM memory_entries WHERE slug = ?`,
      )
      .get(slug);
    return row && ({ ...row, isArchived: row.isArchived === 1 } as MemoryEntry);
  }

  /** The earlier versions of an entry that are still stored, newest first. */
  versions(slug: string): readonly EntryVersion[] {
    const rows = this.#db
      .statement(
        `SELECT v.version, v.title, v.body, v.written_at AS writtenAt, v.source_session AS sourceSession
           FROM memory_versions v JOIN memory_entries e ON e.id = v.entry_id
           WHERE e.slug = ? ORDER BY v.version DESC`,
      )
      .all(slug);
    return rows.map((row) => ({ ...row }) as EntryVersion);
  }

  /** The entries that are not archived, all of them or those of a branch, sorted by slug. */
  titles(branch = ""): readonly EntryTitle[] {
    // Every slug of a branch sorts between its name with a slash and its name with the character after the slash.
    const [from, to] = branch === "" ? ["", "\u{10FFFF}"] : [`${branch}/`, `${branch}0`];
    return this.#db
      .statement(
        "SELECT slug, title FROM memory_entries WHERE is_archived = 0 AND slug >= ? AND slug < ? ORDER BY slug",
      )
      .all(from, to) as unknown as readonly EntryTitle[];
  }

  /** The entries that match a query, best first; archived ones are not found. */
  search(query: string, limit: number): ReturnType<typeof search> {
    return search(this.#db, query, limit);
  }

  /** Creates an entry, or changes the one with this slug; an archived entry is restored. */
  write(given: EntryContent): Change {
    // SQLite would end the text there.
    const draft = { ...given, body: given.body.replaceAll("\0", "") };
    const reason = problemOf(draft);
    if (reason !== undefined) return { kind: "refused", reason };
    return this.#db.transaction(() => {
      const before = this.read(draft.slug);
      if ((!before || before.isArchived) && this.#count(0) >= MAX_ENTRIES) return FULL;
      if (!before) return this.#create(draft);
      const { title, body, isArchived } = before;
      if (!isArchived && title === draft.title && body === draft.body) return { kind: "unchanged" };
      return this.#update(before, draft);
    });
  }

  /** Hides an entry from search and listings; it can still be read. */
  archive(slug: string): Change {
    return this.#db.transaction(() => {
      const before = this.read(slug);
      if (!before) return { kind: "refused", reason: `There is no entry ${slug}.` };
      if (before.isArchived) return { kind: "unchanged" };
      this.#db
        .statement("UPDATE memory_entries SET is_archived = 1, updated_at = ? WHERE slug = ?")
        .run(now(), slug);
      this.#unindex(slug);
      this.#forgetOldest();
      return { kind: "archived" };
    });
  }

  #create({ slug, title, body, sourceSession }: EntryContent): Change {
    const time = now();
    this.#db
      .statement(
        `INSERT INTO memory_entries (slug, title, body, version, created_at, updated_at, source_session)
           VALUES (?, ?, ?, 1, ?, ?, ?)`,
      )
      .run(slug, title, body, time, time, sourceSession);
    this.#index(slug);
    return { kind: "created" };
  }

  #update(before: MemoryEntry, { slug, title, body, sourceSession }: EntryContent): Change {
    this.#db
      .statement(
        `INSERT INTO memory_versions (entry_id, version, title, body, written_at, source_session)
           SELECT id, version, title, body, updated_at, source_session FROM memory_entries WHERE slug = ?`,
      )
      .run(slug);
    this.#db
      .statement(
        `DELETE FROM memory_versions
           WHERE entry_id = (SELECT id FROM memory_entries WHERE slug = ?) AND version <= ?`,
      )
      .run(slug, before.version - MAX_VERSIONS);
    this.#db
      .statement(
        `UPDATE memory_entries SET title = ?, body = ?, version = version + 1, is_archived = 0, updated_at = ?,
           source_session = ? WHERE slug = ?`,
      )
      .run(title, body, now(), sourceSession, slug);
    if (!before.isArchived) this.#unindex(slug);
    this.#index(slug);
    return { kind: "updated" };
  }

  #index(slug: string): void {
    this.#db
      .statement(
        `INSERT INTO memory_index (rowid, slug, title, body)
           SELECT id, slug, title, body FROM memory_entries WHERE slug = ?`,
      )
      .run(slug);
  }

  #unindex(slug: string): void {
    this.#db
      .statement("DELETE FROM memory_index WHERE rowid = (SELECT id FROM memory_entries WHERE slug = ?)")
      .run(slug);
  }

  #forgetOldest(): void {
    const excess = this.#count(1) - MAX_ARCHIVED;
    if (excess <= 0) return;
    this.#db
      .statement(
        `DELETE FROM memory_entries WHERE id IN
           (SELECT id FROM memory_entries WHERE is_archived = 1 ORDER BY updated_at, id LIMIT ?)`,
      )
      .run(excess);
  }

  #count(isArchived: 0 | 1): number {
    const row = this.#db
      .statement("SELECT count(*) AS n FROM memory_entries WHERE is_archived = ?")
      .get(isArchived);
    return Number(row?.n);
  }
}

const FULL: Change = {
  kind: "refused",
  reason: `The memory is full: it holds ${MAX_ENTRIES} entries. Archive what is no longer needed, or add to an existing entry.`,
};

/** Titles must not contain line breaks or invisible characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function problemOf({ slug, title, body }: EntryContent): string | undefined {
  if (!isSlug(slug)) return `"${slug.slice(0, 100)}" can't name an entry: a slug is ${SLUG_FORM}.`;
  if (title.trim() === "" || INVISIBLE.test(title)) return "The title must be one line of text.";
  if (title.length > MAX_TITLE)
    return `The title has ${title.length} characters; ${MAX_TITLE} are allowed. Put the rest into the body.`;
  if (body.trim() === "") return "The body must not be empty; archive an entry that is no longer needed.";
  if (body.length > MAX_BODY)
    return `The body has ${body.length} characters; ${MAX_BODY} are allowed. Shorten it, or make several entries beneath ${slug}.`;
  return undefined;
}

const now = () => new Date().toISOString();
