import type { AuditEntry } from "../audit-log.ts";
import type { AuditLog, StoredBudget } from "../store.ts";
import type { RuleRow, TokenRow } from "../write.ts";
import type { Database } from "./database.ts";

/** All rules of a database. */
export function rulesIn(db: Database): readonly RuleRow[] {
  return db
    .statement(
      `SELECT id, rule, behavior, scope, owner, created_by AS createdBy, created_ms AS createdMs, granted
       FROM rules ORDER BY created_ms`,
    )
    .all()
    .map(({ granted, ...rule }) => ({ ...rule, isGranted: granted === 1 }) as unknown as RuleRow);
}

/** All tokens of a database. */
export function tokensIn(db: Database): readonly TokenRow[] {
  return db
    .statement(
      `SELECT id, name, scope, hash, created_by AS createdBy, created_ms AS createdMs, expires_ms AS expiresMs,
         revoked_ms AS revokedMs, used_ms AS usedMs FROM tokens ORDER BY created_ms`,
    )
    .all() as unknown as readonly TokenRow[];
}

/** All limits that override the settings. */
export function budgetsIn(db: Database): readonly StoredBudget[] {
  return db
    .statement("SELECT scope, owner, limit_usd AS limitUsd FROM budgets")
    .all() as unknown as readonly StoredBudget[];
}

/** Reads the audit log of a database. */
export function auditLog(db: Database): AuditLog {
  return {
    async page({ from, backwards, kind, limit }) {
      const [comparison, order, start] = backwards
        ? ["<", "DESC", from || Number.MAX_SAFE_INTEGER]
        : [">", "ASC", from];
      return db
        .statement(
          `SELECT seq, time_ms AS timeMs, kind, actor, action, subject, detail, hash FROM audit
           WHERE seq ${comparison} ? AND (? = '' OR kind = ?) ORDER BY seq ${order} LIMIT ?`,
        )
        .all(start, kind, kind, limit) as unknown as AuditEntry[];
    },
    lastSeq: async () =>
      Number(db.statement("SELECT seq FROM sqlite_sequence WHERE name = 'audit'").get()?.seq ?? 0),
  };
}
