import { Disposition } from "@agentwire/api";
import type { AuditEntry } from "../audit-log.ts";
import {
  type AuditLog,
  PAGE_BYTES,
  type StoredBudget,
  type StoredPrompts,
  type StoredQuestions,
} from "../store.ts";
import { contentOf, shown } from "../stored-prompt.ts";
import { type QuestionRow, storedQuestion } from "../stored-question.ts";
import type { RuleRow, TokenRow } from "../write.ts";
import type { Read } from "./connection.ts";

/** Reads the prompts of a database. */
export function storedPrompts(read: Read): StoredPrompts {
  return {
    async ofKey(sessionId, key) {
      const sql = `SELECT id AS "promptId", seq FROM prompts WHERE session_id = $1 AND idempotency_key = $2`;
      return (await read<{ promptId: string; seq: number }>(sql, sessionId, key))[0];
    },
    async content(id) {
      const [row] = await read<{ content: string }>("SELECT content FROM prompts WHERE id = $1", id);
      return contentOf(id, row?.content);
    },
    async texts(ids) {
      const sql = `SELECT coalesce(p.shown, '') AS text FROM unnest($1::text[]) WITH ORDINALITY AS w(id, at)
        LEFT JOIN prompts AS p ON p.id = w.id ORDER BY at`;
      return (await read<{ text: string }>(sql, ids)).map(({ text }) => shown(text));
    },
  };
}

const QUESTION = `id, session_id AS "sessionId", seq, disposition, body`;

/** Reads the questions of a database. */
export function storedQuestions(read: Read): StoredQuestions {
  return {
    async find(id) {
      const [row] = await read<QuestionRow>(`SELECT ${QUESTION} FROM questions WHERE id = $1`, id);
      return row && storedQuestion(row);
    },
    async list({ sessionId, includeDecided, after, limit }) {
      const rows = await read<QuestionRow & { place: number }>(
        `SELECT * FROM (
           SELECT place, ${QUESTION}, sum(length(body)) OVER w AS bytes, row_number() OVER w AS n
           FROM (SELECT * FROM questions WHERE place > $1 AND ($2 = '' OR session_id = $2)
                 AND ($3 OR disposition = $4) ORDER BY place LIMIT $5) AS next
           WINDOW w AS (ORDER BY place ROWS UNBOUNDED PRECEDING)) AS sized
         WHERE n = 1 OR bytes <= $6::bigint ORDER BY place`,
        ...[after, sessionId, includeDecided, Disposition.OPEN, limit, PAGE_BYTES],
      );
      return rows.map((row) => ({ place: row.place, question: storedQuestion(row) }));
    },
  };
}

/** All rules of a database. */
export const rulesIn = (read: Read): Promise<readonly RuleRow[]> =>
  read<RuleRow>(
    `SELECT id, rule, behavior, scope, owner, created_by AS "createdBy", created_ms AS "createdMs",
       granted AS "isGranted" FROM rules ORDER BY created_ms`,
  );

/** All tokens of a database. */
export const tokensIn = (read: Read): Promise<readonly TokenRow[]> =>
  read<TokenRow>(
    `SELECT id, name, scope, hash, created_by AS "createdBy", created_ms AS "createdMs", expires_ms AS "expiresMs",
       revoked_ms AS "revokedMs", used_ms AS "usedMs" FROM tokens ORDER BY created_ms`,
  );

/** All limits that override the settings. */
export const budgetsIn = (read: Read): Promise<readonly StoredBudget[]> =>
  read<StoredBudget>(`SELECT scope, owner, limit_usd AS "limitUsd" FROM budgets`);

/** Reads the audit log of a database. */
export function auditLog(read: Read): AuditLog {
  return {
    page({ from, backwards, kind, limit }) {
      const [comparison, order, start] = backwards
        ? ["<", "DESC", from || Number.MAX_SAFE_INTEGER]
        : [">", "ASC", from];
      return read<AuditEntry>(
        `SELECT node, position, seq, time_ms AS "timeMs", kind, actor, action, subject, detail, hash FROM audit
         WHERE position ${comparison} $1 AND ($2 = '' OR kind = $2) ORDER BY position ${order} LIMIT $3`,
        ...[start, kind, limit],
      );
    },
    lastSeq: async () => (await read<{ seq: number }>(LAST_OF_AUDIT))[0]?.seq ?? 0,
  };
}

const LAST_OF_AUDIT = "SELECT position AS seq FROM audit ORDER BY position DESC LIMIT 1";
