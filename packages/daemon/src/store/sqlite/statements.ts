import { Disposition, PromptState, QuestionSchema, RuleScope } from "@agentwire/api";
import { toBinary } from "@bufbuild/protobuf";
import { eventSum } from "../event-sum.ts";
import { SESSION_COLUMNS, SESSION_FIELDS, type SessionRecord } from "../session-record.ts";
import { storable } from "../storable.ts";
import type { Write } from "../write.ts";
import type { SqlWrite } from "./batch.ts";
import type { SqlValue } from "./database.ts";
import { forgetTexts, indexTexts } from "./search-index.ts";

type NewEvent = Extract<Write, { readonly type: "appendEvent" }>;

/** The statements of writes, in their order. */
export function statementsOf(writes: readonly Write[]): readonly SqlWrite[] {
  const statements: SqlWrite[] = [];
  for (const write of writes) {
    // Almost all are events, of which there are many.
    if (write.type === "appendEvent") statements.push(appendEvent(write));
    else statements.push(...statementOf(write));
  }
  return statements;
}

function appendEvent({ sessionId, seq, deltaOf, body }: NewEvent): SqlWrite {
  return { sql: APPEND_EVENT, values: [sessionId, seq, deltaOf ?? null, body, eventSum(seq, body)] };
}

const sql = (text: string, ...values: SqlValue[]): SqlWrite => ({
  sql: text,
  values: values.map((value) => (typeof value === "string" ? storable(value) : value)),
});

/** What a write is in SQL: mostly one statement. */
function statementOf(write: Exclude<Write, NewEvent>): readonly SqlWrite[] {
  switch (write.type) {
    case "dropDeltas":
      return [
        sql(
          "DELETE FROM events WHERE session_id = ? AND seq >= ? AND seq < ? AND delta_of = ?",
          ...[write.sessionId, write.from, write.before, write.deltaOf],
        ),
      ];
    case "keepLine":
      return [sql(KEEP_LINE, write.sessionId, write.seq, write.line)];
    case "dropLines":
      return [sql("DELETE FROM raw_lines WHERE session_id = ? AND seq <= ?", write.sessionId, write.upTo)];
    case "addSession":
      return [sql(ADD_SESSION, ...SESSION_FIELDS.map((field) => write.record[field]))];
    case "changeSession":
      return [changeSession(write.id, write.changes)];
    case "acceptPrompt": {
      const { promptId, sessionId, key, json, client, seq } = write.prompt;
      return [sql(ACCEPT_PROMPT, promptId, sessionId, key, json, client, PromptState.QUEUED, seq)];
    }
    case "changePrompt":
      return [sql("UPDATE prompts SET state = ? WHERE id = ?", write.state, write.id)];
    case "orderPrompts":
      return write.ids.map((id, index) =>
        sql("UPDATE prompts SET place = ? WHERE id = ?", write.seq + index / write.ids.length, id),
      );
    case "addQuestion": {
      const { question, requestId } = write;
      const { id, sessionId, seq, disposition } = question;
      const body = toBinary(QuestionSchema, question);
      return [sql(ADD_QUESTION, id, sessionId, Number(seq), requestId, disposition, body)];
    }
    case "changeQuestion": {
      const { question } = write;
      const body = toBinary(QuestionSchema, question);
      return [sql(CHANGE_QUESTION, question.disposition, body, question.id, Disposition.OPEN)];
    }
    case "addUsage": {
      const { sessionId, day, model, amount } = write;
      return [
        sql(
          ADD_USAGE,
          ...[sessionId, day, model, amount.inputTokens, amount.outputTokens],
          ...[amount.cacheCreationInputTokens, amount.cacheReadInputTokens, amount.costUsd ?? null],
          amount.isIncomplete ? 1 : 0,
        ),
      ];
    }
    case "keepTotals":
      return [sql(KEEP_TOTALS, write.sessionId, write.json)];
    case "copyTotals":
      return [sql(COPY_TOTALS, write.to, write.from)];
    case "setBudget":
      return [
        write.limitUsd === undefined
          ? sql("DELETE FROM budgets WHERE scope = ? AND owner = ?", write.scope, write.owner)
          : sql(SET_BUDGET, write.scope, write.owner, write.limitUsd),
      ];
    case "keepRule": {
      const { id, rule, behavior, scope, owner, createdBy, createdMs, isGranted } = write.rule;
      return [sql(KEEP_RULE, id, rule, behavior, scope, owner, createdBy, createdMs, isGranted ? 1 : 0)];
    }
    case "removeRule":
      return [
        sql(
          "DELETE FROM rules WHERE scope = ? AND owner = ? AND rule = ?",
          ...[write.scope, write.owner, write.rule],
        ),
      ];
    case "addToken": {
      const { id, name, scope, hash, createdBy, createdMs, expiresMs } = write.token;
      return [sql(ADD_TOKEN, id, name, scope, hash, createdBy, createdMs, expiresMs)];
    }
    case "changeToken": {
      const { revokedMs = null, usedMs = null } = write.changes;
      return [sql(CHANGE_TOKEN, revokedMs, usedMs, write.id)];
    }
    case "audit": {
      const { kind, actor, action, subject, detail } = write.note;
      return [sql(ADD_TO_AUDIT, write.timeMs, kind, actor, action, subject, detail)];
    }
    case "indexTexts":
      return indexTexts(write.sessionId, write.upTo, write.texts);
    case "prune":
      return prune(write.sessionId, write.upTo);
    case "clearSession":
      return clearSession(write.sessionId);
  }
}

const APPEND_EVENT = "INSERT INTO events (session_id, seq, delta_of, body, sum) VALUES (?, ?, ?, ?, ?)";
const KEEP_LINE = "INSERT INTO raw_lines (session_id, seq, line) VALUES (?, ?, CAST(? AS BLOB))";
const ADD_SESSION = `INSERT INTO sessions (${SESSION_FIELDS.map((field) => SESSION_COLUMNS[field]).join(", ")})
  VALUES (${SESSION_FIELDS.map(() => "?").join(", ")})`;
const ACCEPT_PROMPT = `INSERT INTO prompts (id, session_id, idempotency_key, content, client, state, seq)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const ADD_QUESTION =
  "INSERT INTO questions (id, session_id, seq, request_id, disposition, body) VALUES (?, ?, ?, ?, ?, ?)";
const CHANGE_QUESTION = "UPDATE questions SET disposition = ?, body = ? WHERE id = ? AND disposition = ?";
const ADD_USAGE = `
INSERT INTO usage (session_id, day, model, input_tokens, output_tokens, cache_creation_input_tokens,
  cache_read_input_tokens, cost_usd, is_incomplete) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (session_id, day, model) DO UPDATE SET
  input_tokens = input_tokens + excluded.input_tokens,
  output_tokens = output_tokens + excluded.output_tokens,
  cache_creation_input_tokens = cache_creation_input_tokens + excluded.cache_creation_input_tokens,
  cache_read_input_tokens = cache_read_input_tokens + excluded.cache_read_input_tokens,
  cost_usd = CASE WHEN excluded.cost_usd IS NULL THEN cost_usd ELSE ifnull(cost_usd, 0) + excluded.cost_usd END,
  is_incomplete = max(is_incomplete, excluded.is_incomplete)`;
const KEEP_TOTALS =
  "INSERT INTO usage_seen (session_id, seen) VALUES (?, ?) ON CONFLICT DO UPDATE SET seen = excluded.seen";
const COPY_TOTALS =
  "INSERT INTO usage_seen (session_id, seen) SELECT ?, seen FROM usage_seen WHERE session_id = ?";
const SET_BUDGET = `INSERT INTO budgets (scope, owner, limit_usd) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET limit_usd = excluded.limit_usd`;
const KEEP_RULE = `
INSERT INTO rules (id, rule, behavior, scope, owner, created_by, created_ms, granted) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (scope, owner, rule) DO UPDATE SET behavior = excluded.behavior, created_by = excluded.created_by,
  granted = excluded.granted`;
const ADD_TOKEN = `INSERT INTO tokens (id, name, scope, hash, created_by, created_ms, expires_ms)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const CHANGE_TOKEN =
  "UPDATE tokens SET revoked_ms = coalesce(?, revoked_ms), used_ms = coalesce(?, used_ms) WHERE id = ?";
/** Numbers and chains entries in the writing thread, so that a failed write leaves no gap. */
const ADD_TO_AUDIT = `
INSERT INTO audit (seq, time_ms, kind, actor, action, subject, detail, hash)
SELECT n, t, k, a, c, s, d, audit_hash(before, n, t, k, a, c, s, d) FROM (
  SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'audit'), 0) + 1 AS n,
    ? AS t, ? AS k, ? AS a, ? AS c, ? AS s, ? AS d,
    coalesce((SELECT hash FROM audit ORDER BY seq DESC LIMIT 1), '') AS before)`;

function changeSession(id: string, changes: Partial<SessionRecord>): SqlWrite {
  const fields = SESSION_FIELDS.filter((field) => changes[field] !== undefined);
  return sql(
    `UPDATE sessions SET ${fields.map((field) => `${SESSION_COLUMNS[field]} = ?`).join(", ")} WHERE id = ?`,
    ...fields.map((field): SqlValue => changes[field] ?? null),
    id,
  );
}

function prune(id: string, seq: number): readonly SqlWrite[] {
  return [
    sql("DELETE FROM events WHERE session_id = ? AND seq <= ?", id, seq),
    sql("DELETE FROM raw_lines WHERE session_id = ? AND seq <= ?", id, seq),
    ...forgetTexts(id, seq),
    sql(
      "DELETE FROM prompts WHERE session_id = ? AND state IN (?, ?) AND seq <= ?",
      ...[id, PromptState.COMPLETED, PromptState.CANCELLED, seq],
    ),
    sql(
      "DELETE FROM questions WHERE disposition > ? AND session_id = ? AND seq <= ?",
      ...[Disposition.OPEN, id, seq],
    ),
  ];
}

function clearSession(id: string): readonly SqlWrite[] {
  return [
    ...forgetTexts(id, Number.MAX_SAFE_INTEGER),
    ...["events", "raw_lines", "prompts", "questions", "usage_seen", "indexed"].map((table) =>
      sql(`DELETE FROM ${table} WHERE session_id = ?`, id),
    ),
    sql("DELETE FROM rules WHERE scope = ? AND owner = ?", RuleScope.SESSION, id),
    sql("DELETE FROM budgets WHERE scope = 'session' AND owner = ?", id),
    sql("DELETE FROM sessions WHERE id = ? AND deleted_ms IS NOT NULL", id),
  ];
}
