import { Disposition, PromptState, QuestionSchema, RuleScope } from "@agentwire/api";
import { contentText, messageContent } from "@agentwire/protocol/messages";
import { toBinary } from "@bufbuild/protobuf";
import type { NodeWrite, Snapshot } from "../nodes.ts";
import { SESSION_COLUMNS, SESSION_FIELDS, type SessionRecord } from "../session-record.ts";
import { SHOWN_CHARS } from "../stored-prompt.ts";
import type { NewPromptRow, Write } from "../write.ts";
import type { PgStatement } from "./connection.ts";
import type { rowsOf } from "./packed-events.ts";
import { forgetTexts, indexTexts } from "./search-index.ts";

/** What is written by other means than one statement each: events go together, and the audit log is chained. */
export type Single = Exclude<AnyWrite, { readonly type: "appendEvent" | "audit" }>;
/** What a node writes. */
export type AnyWrite = Write | NodeWrite;

const sql = (text: string, ...values: unknown[]): PgStatement => ({ text, values });

/** The statement that adds rows of events, however many: their bodies are one value, from which each takes its part. */
export function appendRows(rows: ReturnType<typeof rowsOf>): PgStatement {
  let from = 1;
  const starts = rows.map(({ body }) => {
    const start = from;
    from += body.length;
    return start;
  });
  return sql(
    APPEND_ROWS,
    rows.map(({ sessionId }) => sessionId),
    rows.map(({ seq }) => seq),
    rows.map(({ deltaOf }) => deltaOf ?? null),
    rows.map(({ sum }) => sum),
    starts,
    rows.map(({ body }) => body.length),
    rows.map(({ packed }) => packed),
    Buffer.concat(rows.map(({ body }) => body)),
  );
}

/** What a write is in SQL; `node` is the one that sessions begin at, and `isShared` tells which folders other nodes have, too. */
export function statementsOf(
  write: Single,
  node: string,
  isShared: (cwd: string) => boolean,
): readonly PgStatement[] {
  switch (write.type) {
    case "dropDeltas":
      return [
        sql(
          "DELETE FROM events WHERE session_id = $1 AND seq >= $2 AND seq < $3 AND delta_of = $4",
          ...[write.sessionId, write.from, write.before, write.deltaOf],
        ),
      ];
    case "keepLine":
    case "dropLines":
      // They are kept on this machine.
      return [];
    case "addSession":
      return [
        sql(
          ADD_SESSION,
          ...SESSION_FIELDS.map((field) => write.record[field]),
          ...[node, isShared(write.record.cwd) ? "shared" : "pinned"],
        ),
      ];
    case "changeSession":
      return changeSession(write.id, write.changes);
    case "acceptPrompt": {
      const { promptId, sessionId, key, json, client, seq } = write.prompt;
      const shown = shownOf(write.prompt);
      return [sql(ACCEPT_PROMPT, promptId, sessionId, key, json, shown, client, PromptState.QUEUED, seq)];
    }
    case "changePrompt":
      return [sql("UPDATE prompts SET state = $1 WHERE id = $2", write.state, write.id)];
    case "orderPrompts":
      return write.ids.map((id, index) =>
        sql("UPDATE prompts SET place = $1 WHERE id = $2", write.seq + index / write.ids.length, id),
      );
    case "addQuestion": {
      const { id, sessionId, seq, disposition } = write.question;
      const body = Buffer.from(toBinary(QuestionSchema, write.question));
      return [sql(ADD_QUESTION, id, sessionId, Number(seq), write.requestId, disposition, body)];
    }
    case "changeQuestion": {
      const { id, disposition } = write.question;
      const body = Buffer.from(toBinary(QuestionSchema, write.question));
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
          ? sql("DELETE FROM budgets WHERE scope = $1 AND owner = $2", write.scope, write.owner)
          : sql(SET_BUDGET, write.scope, write.owner, write.limitUsd),
      ];
    case "keepRule": {
      const { id, rule, behavior, scope, owner, createdBy, createdMs, isGranted } = write.rule;
      return [sql(KEEP_RULE, id, rule, behavior, scope, owner, createdBy, createdMs, isGranted)];
    }
    case "removeRule":
      return [
        sql(
          "DELETE FROM rules WHERE scope = $1 AND owner = $2 AND rule = $3",
          ...[write.scope, write.owner, write.rule],
        ),
      ];
    case "addToken": {
      const { id, name, scope, hash, createdBy, createdMs, expiresMs } = write.token;
      return [sql(ADD_TOKEN, id, name, scope, Buffer.from(hash), createdBy, createdMs, expiresMs)];
    }
    case "changeToken": {
      const { revokedMs = null, usedMs = null } = write.changes;
      return [sql(CHANGE_TOKEN, revokedMs, usedMs, write.id)];
    }
    case "indexTexts":
      return indexTexts(write.sessionId, write.upTo, write.texts);
    case "prune":
      return prune(write.sessionId, write.upTo);
    case "clearSession":
      return clearSession(write.sessionId);
    case "keepSnapshot":
      return keepSnapshot(write.sessionId, node, write.snapshot);
    case "claimSnapshots":
      return [sql("UPDATE snapshots SET node = $2 WHERE session_id = $1", write.sessionId, node)];
    case "appendTranscript":
      return [sql(APPEND_TRANSCRIPT, write.agentSession, write.subpath, write.lines)];
  }
}

const APPEND_ROWS = `
INSERT INTO events (session_id, seq, delta_of, sum, packed, body)
SELECT s, n, d, c, p, substring($8::bytea FROM f FOR l)
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::int[], $6::int[], $7::int[]) AS e(s, n, d, c, f, l, p)`;
const ADD_SESSION = `INSERT INTO sessions (${SESSION_FIELDS.map((field) => SESSION_COLUMNS[field]).join(", ")}, owner, workspace)
VALUES (${[...SESSION_FIELDS, "owner", "workspace"].map((_, at) => `$${at + 1}`).join(", ")})`;
const KEEP_SNAPSHOT = `
INSERT INTO snapshots (session_id, node, commit, head, branch, whole, prefix, pack)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
const APPEND_TRANSCRIPT = `
INSERT INTO transcripts (agent_session, subpath, line)
SELECT $1, $2, t.line FROM unnest($3::text[]) WITH ORDINALITY AS t(line, place) ORDER BY place`;
const ACCEPT_PROMPT = `
INSERT INTO prompts (id, session_id, idempotency_key, content, shown, client, state, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
const ADD_QUESTION = `
INSERT INTO questions (id, session_id, seq, request_id, disposition, body) VALUES ($1, $2, $3, $4, $5, $6)`;
const CHANGE_QUESTION = "UPDATE questions SET disposition = $1, body = $2 WHERE id = $3 AND disposition = $4";
const ADD_USAGE = `
INSERT INTO usage AS u (session_id, day, model, input_tokens, output_tokens, cache_creation_input_tokens,
  cache_read_input_tokens, cost_usd, is_incomplete) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (session_id, day, model) DO UPDATE SET
  input_tokens = u.input_tokens + excluded.input_tokens,
  output_tokens = u.output_tokens + excluded.output_tokens,
  cache_creation_input_tokens = u.cache_creation_input_tokens + excluded.cache_creation_input_tokens,
  cache_read_input_tokens = u.cache_read_input_tokens + excluded.cache_read_input_tokens,
  cost_usd = CASE WHEN excluded.cost_usd IS NULL THEN u.cost_usd ELSE coalesce(u.cost_usd, 0) + excluded.cost_usd END,
  is_incomplete = u.is_incomplete OR excluded.is_incomplete`;
const KEEP_TOTALS = `
INSERT INTO usage_seen (session_id, seen) VALUES ($1, $2) ON CONFLICT (session_id) DO UPDATE SET seen = excluded.seen`;
const COPY_TOTALS =
  "INSERT INTO usage_seen (session_id, seen) SELECT $1, seen FROM usage_seen WHERE session_id = $2";
const SET_BUDGET = `
INSERT INTO budgets (scope, owner, limit_usd) VALUES ($1, $2, $3)
ON CONFLICT (scope, owner) DO UPDATE SET limit_usd = excluded.limit_usd`;
const KEEP_RULE = `
INSERT INTO rules (id, rule, behavior, scope, owner, created_by, created_ms, granted)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (scope, owner, rule) DO UPDATE SET behavior = excluded.behavior, created_by = excluded.created_by,
  granted = excluded.granted`;
const ADD_TOKEN = `
INSERT INTO tokens (id, name, scope, hash, created_by, created_ms, expires_ms) VALUES ($1, $2, $3, $4, $5, $6, $7)`;
const CHANGE_TOKEN = `
UPDATE tokens SET revoked_ms = coalesce($1, revoked_ms), used_ms = coalesce($2, used_ms) WHERE id = $3`;

function changeSession(id: string, changes: Partial<SessionRecord>): readonly PgStatement[] {
  const fields = SESSION_FIELDS.filter((field) => changes[field] !== undefined);
  if (fields.length === 0) return [];
  const sets = fields.map((field, at) => `${SESSION_COLUMNS[field]} = $${at + 2}`);
  return [
    sql(`UPDATE sessions SET ${sets.join(", ")} WHERE id = $1`, id, ...fields.map((field) => changes[field])),
  ];
}

/** The beginning of a prompt's text, and one character more where there is more. */
export function shownOf({ json }: Pick<NewPromptRow, "json">): string {
  const content: unknown = JSON.parse(json);
  return messageContent.accepts(content) ? contentText(content).slice(0, SHOWN_CHARS + 1) : "";
}

function prune(id: string, seq: number): readonly PgStatement[] {
  return [
    sql("DELETE FROM events WHERE session_id = $1 AND seq <= $2", id, seq),
    sql("DELETE FROM raw_lines WHERE session_id = $1 AND seq <= $2", id, seq),
    forgetTexts(id, seq),
    sql(
      "DELETE FROM prompts WHERE session_id = $1 AND state IN ($2, $3) AND seq <= $4",
      ...[id, PromptState.COMPLETED, PromptState.CANCELLED, seq],
    ),
    sql(
      "DELETE FROM questions WHERE disposition > $1 AND session_id = $2 AND seq <= $3",
      ...[Disposition.OPEN, id, seq],
    ),
  ];
}

function keepSnapshot(
  sessionId: string,
  node: string,
  { commit, head, branch, isWhole, pack, prefix }: Snapshot,
): readonly PgStatement[] {
  return [
    ...(isWhole ? [sql("DELETE FROM snapshots WHERE session_id = $1", sessionId)] : []),
    sql(KEEP_SNAPSHOT, sessionId, node, commit, head, branch, isWhole, prefix, Buffer.from(pack)),
    sql("UPDATE sessions SET workspace = 'git' WHERE id = $1 AND workspace = 'pinned'", sessionId),
  ];
}

function clearSession(id: string): readonly PgStatement[] {
  return [
    sql(
      `DELETE FROM transcripts WHERE agent_session IN (SELECT agent_session_id FROM sessions WHERE id = $1
       UNION SELECT $1) AND NOT EXISTS (SELECT FROM sessions WHERE id <> $1 AND agent_session_id = agent_session)`,
      id,
    ),
    ...["events", "raw_lines", "prompts", "questions", "usage_seen", "texts", "indexed", "snapshots"].map(
      (table) => sql(`DELETE FROM ${table} WHERE session_id = $1`, id),
    ),
    sql("DELETE FROM rules WHERE scope = $1 AND owner = $2", RuleScope.SESSION, id),
    sql("DELETE FROM budgets WHERE scope = 'session' AND owner = $1", id),
    sql("DELETE FROM sessions WHERE id = $1 AND deleted_ms IS NOT NULL", id),
  ];
}
