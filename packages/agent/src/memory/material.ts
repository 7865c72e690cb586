import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { Database } from "../store/sqlite/database.ts";
import { spokenText } from "./spoken-text.ts";

/** A part of a session that has not been consolidated. */
export interface SessionMaterial {
  readonly sessionId: string;
  readonly text: string;
  /** The last line that it goes up to. */
  readonly upTo: number;
}

interface Row {
  readonly seq: number;
  readonly session_id: string;
  readonly line: string;
}

/** The lines that somebody may have said something in; the index on them has the same words. */
const SPOKEN = "agent_id = '' AND type IN ('user', 'assistant')";
/** How much is read at once. */
const ROWS = 200;

/** The first part of what waits in all sessions, as much as fits; the session whose lines have waited longest comes first. */
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

/** Characters of material, and the last line that was looked at. */
export interface MaterialSize {
  readonly chars: number;
  readonly upTo: number;
}

/** How much waits in all sessions, and in each that has any. */
export function waitingChars(
  db: Database,
): MaterialSize & { readonly bySession: ReadonlyMap<string, number> } {
  const bySession = new Map<string, number>();
  let chars = 0;
  let upTo = lastLine(db);
  for (const { session_id, line, seq } of waitingRows(db)) {
    const { length } = textOf(line);
    if (length > 0) bySession.set(session_id, (bySession.get(session_id) ?? 0) + length);
    chars += length;
    upTo = Math.max(upTo, seq);
  }
  return { chars, upTo, bySession };
}

/** How much has come after a line, in all sessions. */
export function charsAfter(db: Database, seq: number): MaterialSize {
  let chars = 0;
  let upTo = seq;
  for (const row of rowsAfter(db, seq)) {
    chars += textOf(row.line).length;
    upTo = row.seq;
  }
  return { chars, upTo };
}

/** Tokens are not counted before a call; four characters make about one. */
export const tokensOf = (chars: number) => Math.ceil(chars / 4);

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
  const value = parsed(line);
  return value ? spokenText(value) : "";
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
