import type { Database } from "./database.ts";
import type { Write } from "./write.ts";

/** A line as an agent wrote it, under the number of the first event that came of it. */
export interface RawLine {
  readonly seq: number;
  readonly line: string;
}

/** What can be read of the kept lines beside their writer. */
export interface RawLog {
  /** The next lines after a number, in order. */
  after(sessionId: string, seq: number, limit: number): readonly RawLine[];
  /** The last lines before a number, in order. */
  before(sessionId: string, seq: number, limit: number): readonly RawLine[];
  /** What is kept of a session, oldest first. */
  sizes(sessionId: string): readonly KeptSize[];
}

/** How much of a session is kept under a number. */
export interface KeptSize {
  readonly seq: number;
  readonly bytes: number;
}

/** Reads the kept lines of a database. */
export function rawLog(db: Database): RawLog {
  const page = (sql: string, ...values: (string | number)[]) =>
    (db.statement(sql).all(...values) as unknown as { seq: number; line: Uint8Array }[]).map(
      ({ seq, line }): RawLine => ({ seq, line: Buffer.from(line).toString("utf8") }),
    );
  return {
    after: (sessionId, seq, limit) =>
      page(
        "SELECT seq, line FROM raw_lines WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?",
        sessionId,
        seq,
        limit,
      ),
    before: (sessionId, seq, limit) =>
      page(
        "SELECT seq, line FROM raw_lines WHERE session_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
        sessionId,
        seq,
        limit,
      ).reverse(),
    sizes: (sessionId) =>
      db
        .statement("SELECT seq, length(line) AS bytes FROM raw_lines WHERE session_id = ? ORDER BY seq")
        .all(sessionId) as unknown as KeptSize[],
  };
}

/** What one session may keep; the oldest lines make room. */
export const MAX_KEPT_BYTES = 16 * 1024 * 1024;
/** What a line counts at least, so that the number of lines is bounded too. */
const LEAST_BYTES = 1024;
/** How much is removed at a time: one delete for many lines. */
const ROOM = 1 / 8;

/** Decides which raw lines of one session are kept. */
export class RawLines {
  readonly #sessionId: string;
  readonly #stored: () => readonly KeptSize[];
  readonly #maxBytes: number;
  #kept: KeptSize[] | undefined;
  #bytes = 0;

  /** `stored` returns what an earlier daemon kept; it is called with the first line. */
  constructor(sessionId: string, stored: () => readonly KeptSize[], maxBytes: number = MAX_KEPT_BYTES) {
    this.#sessionId = sessionId;
    this.#stored = stored;
    this.#maxBytes = maxBytes;
  }

  /** The writes that store a line, and remove the oldest ones if there are too many. */
  keep(seq: number, line: string): readonly Write[] {
    const kept = this.#load();
    this.#add(kept, { seq, bytes: Buffer.byteLength(line) });
    const insert: Write = {
      sql: "INSERT INTO raw_lines (session_id, seq, line) VALUES (?, ?, CAST(? AS BLOB))",
      values: [this.#sessionId, seq, line],
    };
    return this.#bytes <= this.#maxBytes ? [insert] : [insert, this.#makeRoom(kept)];
  }

  #load(): KeptSize[] {
    if (this.#kept) return this.#kept;
    const kept: KeptSize[] = [];
    this.#kept = kept;
    for (const size of this.#stored()) this.#add(kept, size);
    return kept;
  }

  #add(kept: KeptSize[], { seq, bytes }: KeptSize): void {
    const counted = Math.max(bytes, LEAST_BYTES);
    kept.push({ seq, bytes: counted });
    this.#bytes += counted;
  }

  #makeRoom(kept: KeptSize[]): Write {
    let gone = 0;
    while (gone < kept.length - 1 && this.#bytes > this.#maxBytes * (1 - ROOM))
      this.#bytes -= kept[gone++]?.bytes ?? 0;
    const last = kept.splice(0, gone).at(-1)?.seq ?? 0;
    return {
      sql: "DELETE FROM raw_lines WHERE session_id = ? AND seq <= ?",
      values: [this.#sessionId, last],
    };
  }
}
