import { Disposition, PromptState, QuestionSchema, RuleScope } from "@agentwire/api";
import { toBinary } from "@bufbuild/protobuf";
import { SESSION_COLUMNS, SESSION_FIELDS } from "./session-record.ts";
import type { Write } from "./write.ts";

/** An SQL statement; each `?` stands for one of the values. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly (string | number | boolean | null | Uint8Array)[];
}

/** The writes, or parts of writes, that every store makes with the same statements. */
export type CommonWrite = Exclude<
  Write,
  {
    readonly type:
      | "appendEvent"
      | "keepLine"
      | "dropLines"
      | "addSession"
      | "acceptPrompt"
      | "audit"
      | "indexTexts";
  }
>;

const sql = (text: string, ...values: Statement["values"]): Statement => ({ sql: text, values });

/** Converts a write to statements that both SQLite and PostgreSQL understand. */
export function commonStatements(write: CommonWrite): readonly Statement[] {
  switch (write.type) {
    case "dropDeltas": {
      const { sessionId, from, before, deltaOf } = write;
      return [sql(DROP_DELTAS, sessionId, from, before, deltaOf)];
    }
    case "changeSession": {
      const { id, changes } = write;
      const fields = SESSION_FIELDS.filter((field) => changes[field] !== undefined);
      if (fields.length === 0) return [];
      const sets = fields.map((field) => `${SESSION_COLUMNS[field]} = ?`).join(", ");
      const values = fields.map((field) => changes[field] ?? null);
      return [sql(`UPDATE sessions SET ${sets} WHERE id = ?`, ...values, id)];
    }
    case "changePrompt":
      return [sql("UPDATE prompts SET state = ? WHERE id = ?", write.state, write.id)];
    case "orderPrompts":
      return write.ids.map((id, index) =>
        sql("UPDATE prompts SET place = ? WHERE id = ?", write.seq + index / write.ids.length, id),
      );
    case "addQuestion": {
      const { id, sessionId, seq, disposition } = write.question;
      const body = toBinary(QuestionSchema, write.question);
      return [sql(ADD_QUESTION, id, sessionId, Number(seq), write.requestId, disposition, body)];
    }
    case "changeQuestion": {
      const { id, disposition } = write.question;
      const body = toBinary(QuestionSchema, write.question);
      return [sql(CHANGE_QUESTION, disposition, body, id, Disposition.OPEN)];
    }
    case "addUsage": {
      const { sessionId, day, model, amount } = write;
      return [
        sql(
          ADD_USAGE,
          ...[sessionId, day, model, amount.inputTokens, amount.outputTokens],
          ...[amount.cacheCreationInputTokens, amount.cacheReadInputTokens, amount.costUsd ?? null],
          amount.isIncomplete,
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
      return [sql(KEEP_RULE, id, rule, behavior, scope, owner, createdBy, createdMs, isGranted)];
    }
    case "removeRule": {
      const { scope, owner, rule } = write;
      return [sql("DELETE FROM rules WHERE scope = ? AND owner = ? AND rule = ?", scope, owner, rule)];
    }
    case "addToken": {
      const { id, name, scope, hash, createdBy, createdMs, expiresMs } = write.token;
      return [sql(ADD_TOKEN, id, name, scope, hash, createdBy, createdMs, expiresMs)];
    }
    case "changeToken": {
      const { revokedMs = null, usedMs = null } = write.changes;
      return [sql(CHANGE_TOKEN, revokedMs, usedMs, write.id)];
    }
    case "prune": {
      const { sessionId, upTo } = write;
      return [
        sql("DELETE FROM events WHERE session_id = ? AND seq <= ?", sessionId, upTo),
        sql("DELETE FROM raw_lines WHERE session_id = ? AND seq <= ?", sessionId, upTo),
        sql(PRUNE_PROMPTS, sessionId, PromptState.COMPLETED, PromptState.CANCELLED, upTo),
        sql(PRUNE_QUESTIONS, Disposition.OPEN, sessionId, upTo),
      ];
    }
    case "clearSession": {
      const { sessionId } = write;
      return [
        ...["events", "raw_lines", "prompts", "questions", "usage_seen", "indexed"].map((table) =>
          sql(`DELETE FROM ${table} WHERE session_id = ?`, sessionId),
        ),
        sql("DELETE FROM rules WHERE scope = ? AND owner = ?", RuleScope.SESSION, sessionId),
        sql("DELETE FROM budgets WHERE scope = 'session' AND owner = ?", sessionId),
        sql("DELETE FROM sessions WHERE id = ? AND deleted_ms IS NOT NULL", sessionId),
      ];
    }
  }
}

const DROP_DELTAS = "DELETE FROM events WHERE session_id = ? AND seq >= ? AND seq < ? AND delta_of = ?";
const ADD_QUESTION =
  "INSERT INTO questions (id, session_id, seq, request_id, disposition, body) VALUES (?, ?, ?, ?, ?, ?)";
const CHANGE_QUESTION = "UPDATE questions SET disposition = ?, body = ? WHERE id = ? AND disposition = ?";
const ADD_USAGE = `
INSERT INTO usage AS u (session_id, day, model, input_tokens, output_tokens, cache_creation_input_tokens,
  cache_read_input_tokens, cost_usd, is_incomplete) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (session_id, day, model) DO UPDATE SET
  input_tokens = u.input_tokens + excluded.input_tokens,
  output_tokens = u.output_tokens + excluded.output_tokens,
  cache_creation_input_tokens = u.cache_creation_input_tokens + excluded.cache_creation_input_tokens,
  cache_read_input_tokens = u.cache_read_input_tokens + excluded.cache_read_input_tokens,
  cost_usd = CASE WHEN excluded.cost_usd IS NULL THEN u.cost_usd ELSE coalesce(u.cost_usd, 0) + excluded.cost_usd END,
  is_incomplete = u.is_incomplete OR excluded.is_incomplete`;
const KEEP_TOTALS = `
INSERT INTO usage_seen (session_id, seen) VALUES (?, ?) ON CONFLICT (session_id) DO UPDATE SET seen = excluded.seen`;
const COPY_TOTALS =
  "INSERT INTO usage_seen (session_id, seen) SELECT ?, seen FROM usage_seen WHERE session_id = ?";
const SET_BUDGET = `
INSERT INTO budgets (scope, owner, limit_usd) VALUES (?, ?, ?)
ON CONFLICT (scope, owner) DO UPDATE SET limit_usd = excluded.limit_usd`;
const KEEP_RULE = `
INSERT INTO rules (id, rule, behavior, scope, owner, created_by, created_ms, granted) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (scope, owner, rule) DO UPDATE SET behavior = excluded.behavior, created_by = excluded.created_by,
  granted = excluded.granted`;
const ADD_TOKEN = `
INSERT INTO tokens (id, name, scope, hash, created_by, created_ms, expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?)`;
const CHANGE_TOKEN = `
UPDATE tokens SET revoked_ms = coalesce(?, revoked_ms), used_ms = coalesce(?, used_ms) WHERE id = ?`;
const PRUNE_PROMPTS = "DELETE FROM prompts WHERE session_id = ? AND state IN (?, ?) AND seq <= ?";
const PRUNE_QUESTIONS = "DELETE FROM questions WHERE disposition > ? AND session_id = ? AND seq <= ?";
