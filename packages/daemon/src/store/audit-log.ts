import type { AuditFacts } from "./audit-hash.ts";
import type { Database } from "./database.ts";
import type { Write } from "./write.ts";

/** A stored entry of the audit log. */
export type AuditEntry = AuditFacts & { readonly hash: string };

/** An entry for the audit log. */
export type AuditNote = Omit<AuditFacts, "seq" | "timeMs">;

/** Makes writes that add to the audit log, to be written together with what they tell of. */
export type Audit = (note: AuditNote) => Write;

/** How much of each text is kept. */
const MAX_CHARS = 1000;

/** An audit log whose entries say nothing that `redact` takes out. */
export function auditWith(redact: (text: string) => string, now: () => number): Audit {
  const kept = (text: string) => {
    const clean = redact(text.slice(0, 2 * MAX_CHARS));
    return clean.length > MAX_CHARS ? `${clean.slice(0, MAX_CHARS)}…` : clean;
  };
  return ({ kind, actor, action, subject, detail }) => ({
    sql: INSERT,
    values: [now(), kind, kept(actor), action, kept(subject), kept(detail)],
  });
}

/** Numbers and chains entries in the writing thread, so that a failed write leaves no gap. */
const INSERT = `
INSERT INTO audit (seq, time_ms, kind, actor, action, subject, detail, hash)
SELECT n, t, k, a, c, s, d, audit_hash(before, n, t, k, a, c, s, d) FROM (
  SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'audit'), 0) + 1 AS n,
    ? AS t, ? AS k, ? AS a, ? AS c, ? AS s, ? AS d,
    coalesce((SELECT hash FROM audit ORDER BY seq DESC LIMIT 1), '') AS before)`;

/** A page that is wanted of the audit log. */
export interface AuditPage {
  readonly from: number;
  readonly backwards: boolean;
  /** Empty for all. */
  readonly kind: string;
  readonly limit: number;
}

/** Entries after a number, or before it, in the order in which they are asked for. */
export function readAudit(db: Database, { from, backwards, kind, limit }: AuditPage): readonly AuditEntry[] {
  const [comparison, order, start] = backwards
    ? ["<", "DESC", from || Number.MAX_SAFE_INTEGER]
    : [">", "ASC", from];
  return db
    .statement(
      `SELECT seq, time_ms AS timeMs, kind, actor, action, subject, detail, hash FROM audit
       WHERE seq ${comparison} ? AND (? = '' OR kind = ?) ORDER BY seq ${order} LIMIT ?`,
    )
    .all(start, kind, kind, limit) as unknown as AuditEntry[];
}

/** The last number that was ever given. */
export function lastAuditSeq(db: Database): number {
  const row = db.statement("SELECT seq FROM sqlite_sequence WHERE name = 'audit'").get();
  return (row as { readonly seq: number } | undefined)?.seq ?? 0;
}
