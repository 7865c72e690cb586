import { PromptState } from "@agentwire/api";
import { eventSum } from "../event-sum.ts";
import { SESSION_COLUMNS, SESSION_FIELDS } from "../session-record.ts";
import { type CommonWrite, commonStatements, type Statement } from "../statements.ts";
import { storable } from "../storable.ts";
import type { Write } from "../write.ts";
import type { SqlWrite } from "./batch.ts";
import { forgetTexts, indexTexts } from "./search-index.ts";

type NewEvent = Extract<Write, { readonly type: "appendEvent" }>;

/** Converts writes to statements, in order. */
export function statementsOf(writes: readonly Write[]): readonly SqlWrite[] {
  const statements: SqlWrite[] = [];
  for (const write of writes) {
    // Almost all writes are events, of which there are many.
    if (write.type === "appendEvent") statements.push(appendEvent(write));
    else statements.push(...statementOf(write));
  }
  return statements;
}

function appendEvent({ sessionId, seq, deltaOf, body }: NewEvent): SqlWrite {
  return { sql: APPEND_EVENT, values: [sessionId, seq, deltaOf ?? null, body, eventSum(seq, body)] };
}

/** Whether a statement stores a delta. */
export const isPiece = ({ sql, values }: SqlWrite): boolean => sql === APPEND_EVENT && values[2] !== null;

const sql = (text: string, ...values: Statement["values"]): SqlWrite => ({
  sql: text,
  values: values.map((value) => {
    if (typeof value === "boolean") return Number(value);
    return typeof value === "string" ? storable(value) : value;
  }),
});

const common = (write: CommonWrite) =>
  commonStatements(write).map(({ sql: text, values }) => sql(text, ...values));

/** The SQL for a write: usually one statement. */
function statementOf(write: Exclude<Write, NewEvent>): readonly SqlWrite[] {
  switch (write.type) {
    case "keepLine":
      return [sql(KEEP_LINE, write.sessionId, write.seq, write.line)];
    case "dropLines":
      return [sql("DELETE FROM raw_lines WHERE session_id = ? AND seq <= ?", write.sessionId, write.upTo)];
    case "addSession":
      return [sql(ADD_SESSION, ...SESSION_FIELDS.map((field) => write.record[field]))];
    case "acceptPrompt": {
      const { promptId, sessionId, key, json, client, seq } = write.prompt;
      return [sql(ACCEPT_PROMPT, promptId, sessionId, key, json, client, PromptState.QUEUED, seq)];
    }
    case "audit": {
      const { kind, actor, action, subject, detail } = write.note;
      return [sql(ADD_TO_AUDIT, write.timeMs, kind, actor, action, subject, detail)];
    }
    case "indexTexts":
      return indexTexts(write.sessionId, write.upTo, write.texts);
    case "prune":
      return [...forgetTexts(write.sessionId, write.upTo), ...common(write)];
    case "clearSession":
      return [...forgetTexts(write.sessionId, Number.MAX_SAFE_INTEGER), ...common(write)];
    default:
      return common(write);
  }
}

const APPEND_EVENT = "INSERT INTO events (session_id, seq, delta_of, body, sum) VALUES (?, ?, ?, ?, ?)";
const KEEP_LINE = "INSERT INTO raw_lines (session_id, seq, line) VALUES (?, ?, CAST(? AS BLOB))";
const ADD_SESSION = `INSERT INTO sessions (${SESSION_FIELDS.map((field) => SESSION_COLUMNS[field]).join(", ")})
  VALUES (${SESSION_FIELDS.map(() => "?").join(", ")})`;
const ACCEPT_PROMPT = `INSERT INTO prompts (id, session_id, idempotency_key, content, client, state, seq)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
/** Numbers and chains entries in the writing thread, so that a failed write leaves no gap. */
const ADD_TO_AUDIT = `
INSERT INTO audit (seq, time_ms, kind, actor, action, subject, detail, hash)
SELECT n, t, k, a, c, s, d, audit_hash(before, n, t, k, a, c, s, d) FROM (
  SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'audit'), 0) + 1 AS n,
    ? AS t, ? AS k, ? AS a, ? AS c, ? AS s, ? AS d,
    coalesce((SELECT hash FROM audit ORDER BY seq DESC LIMIT 1), '') AS before)`;
