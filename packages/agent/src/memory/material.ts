import { parseJsonObject } from "@agentwire/protocol/support";
import type { Database } from "../store/sqlite/database.ts";
import { spokenText } from "./spoken-text.ts";

/** A part of a session that has not been consolidated. */
export interface SessionMaterial {
  readonly sessionId: string;
  readonly text: string;
  /** The last line that it includes. */
  readonly upTo: number;
}

interface Row {
  readonly seq: number;
  readonly session_id: string;
  readonly line: string;
}

/** The lines that may contain spoken text; the index on them uses the same expression. */
const SPOKEN = "agent_id = '' AND type IN ('user', 'assistant')";
/** How many rows are read at once. */
const ROWS = 200;

/** The oldest unconsolidated material of all sessions that fits; the session whose lines have waited longest is first. */
export function waitingMaterial(db: Database, maxChars: number): readonly SessionMaterial[] {
  const texts = new Map<string, { lines: string[]; upTo: number }>();
  let room = maxChars;
  for (const { seq, session_id, line } of waitingRows(db)) {
    const text = textOf(line);
    room -= text.length;
    if (room < 0 && texts.size > 0) break;
    const part = texts.get(session_id) ?? { lines: [], upTo: seq };
    texts.set(session_id, part);
    if (text !== "") part.lines.push(text);
    part.upTo = seq;
  }
  return [...texts].map(([sessionId, { lines, upTo }]) => ({ sessionId, upTo, text: lines.join("\n\n") }));
}

/** How many tokens are not consolidated yet, by session; sessions without any are left out. */
export function waitingTokens(db: Database): ReadonlyMap<string, number> {
  const chars = new Map<string, number>();
  for (const { session_id, line } of waitingRows(db)) {
    const { length } = textOf(line);
    if (length > 0) chars.set(session_id, (chars.get(session_id) ?? 0) + length);
  }
  return new Map([...chars].map(([id, length]) => [id, tokensOf(length)]));
}

/** Counts the unconsolidated material of all sessions; counts each line once, however often it is called. */
export class MaterialCount {
  readonly #db: Database;
  #chars = 0;
  /** The last counted line; undefined before the first count. */
  #upTo: number | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Whether at least this many tokens are waiting; reads no more than necessary. */
  reaches(tokens: number): boolean {
    const rows = this.#upTo === undefined ? waitingRows(this.#db) : rowsAfter(this.#db, this.#upTo);
    const last = lastLine(this.#db);
    for (const { seq, line } of rows) {
      this.#chars += textOf(line).length;
      this.#upTo = seq;
      if (tokensOf(this.#chars) >= tokens) return true;
    }
    this.#upTo = Math.max(last, this.#upTo ?? 0);
    return tokensOf(this.#chars) >= tokens;
  }

  /** Counts all waiting material again. */
  restart(): void {
    this.#chars = 0;
    this.#upTo = undefined;
  }

  /** From now on, counts only later material. */
  skip(): void {
    this.#chars = 0;
    this.#upTo = lastLine(this.#db);
  }
}

/** Tokens can't be counted exactly before a call; four characters make about one. */
const tokensOf = (chars: number) => Math.ceil(chars / 4);

function* waitingRows(db: Database): Generator<Row> {
  const marks = db
    .statement("SELECT session_id, seq FROM memory_marks")
    .all()
    .map(({ session_id, seq }) => [String(session_id), Number(seq)] as const);
  const done = new Map(marks);
  const first = db
    .statement(
      `SELECT min((SELECT min(l.seq) FROM lines l WHERE l.session_id = s.id AND l.seq > coalesce(m.seq, 0) AND ${SPOKEN})) AS seq
         FROM sessions s LEFT JOIN memory_marks m ON m.session_id = s.id`,
    )
    .get();
  if (typeof first?.seq !== "number") return;
  for (const row of rowsAfter(db, first.seq - 1)) if (row.seq > (done.get(row.session_id) ?? 0)) yield row;
}

function lastLine(db: Database): number {
  return Number(db.statement("SELECT max(seq) AS seq FROM lines").get()?.seq ?? 0);
}

function* rowsAfter(db: Database, seq: number): Generator<Row> {
  let last = seq;
  for (;;) {
    const rows = db
      .statement(
        `SELECT seq, session_id, line FROM lines NOT INDEXED WHERE seq > ? AND ${SPOKEN} ORDER BY seq LIMIT ${ROWS}`,
      )
      .all(last) as unknown as readonly Row[];
    yield* rows;
    const newest = rows.at(-1);
    if (!newest || rows.length < ROWS) return;
    last = newest.seq;
  }
}

function textOf(line: string): string {
  const value = parseJsonObject(line);
  return value ? spokenText(value) : "";
}
