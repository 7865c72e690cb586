import { auditHash } from "../audit-hash.ts";
import type { SharedBook } from "../nodes.ts";
import type { Write } from "../write.ts";
import type { PgStatement } from "./connection.ts";
import { CHANNEL } from "./node-connection.ts";
import { type NewEvent, rowsOf } from "./packed-events.ts";
import { type AnyWrite, appendRows, statementsOf } from "./statements.ts";

/** A write as it is kept until its turn comes: what it says is encoded, but for what depends on what is written with it. */
export type Encoded =
  | NewEvent
  | Drop
  | Extract<Write, { readonly type: "audit" }>
  | { readonly type: "sql"; readonly statement: PgStatement };

type Drop = Extract<Write, { readonly type: "dropDeltas" }>;

/** Where the chain of the audit log is. */
export interface AuditEnd {
  readonly seq: number;
  readonly hash: string;
}

/** What other nodes keep in memory of a write. */
const BOOKS: ReadonlyMap<AnyWrite["type"], SharedBook> = new Map([
  ["keepRule", "rules"],
  ["removeRule", "rules"],
  ["addToken", "tokens"],
  ["changeToken", "tokens"],
  ["setBudget", "budgets"],
  ["addUsage", "budgets"],
]);

const ADD_TO_AUDIT = `
INSERT INTO audit (node, seq, time_ms, kind, actor, action, subject, detail, hash)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/** Encodes what a node writes. */
export function encode(
  write: AnyWrite,
  node: string,
  isShared: (cwd: string) => boolean,
): readonly Encoded[] {
  if (write.type === "appendEvent" || write.type === "audit" || write.type === "dropDeltas") return [write];
  const book = BOOKS.get(write.type);
  const told = book ? [{ text: "SELECT pg_notify($1, $2)", values: [CHANNEL, `${book} ${node}`] }] : [];
  return [...statementsOf(write, node, isShared), ...told].map((statement) => ({ type: "sql", statement }));
}

/** What the writes of one commit are in SQL: all events in one statement, and entries of the audit log with their numbers. */
export function inSql(
  writes: readonly Encoded[],
  node: string,
  before: AuditEnd,
  packs: boolean,
): { readonly statements: readonly PgStatement[]; readonly audit: AuditEnd } {
  let events: NewEvent[] = [];
  const statements: PgStatement[] = [];
  let audit = before;
  for (const write of writes) {
    if (write.type === "appendEvent") events.push(write);
    else if (write.type === "sql") statements.push(write.statement);
    else if (write.type === "dropDeltas") {
      // What has come and goes in one commit is not written at all.
      events = events.filter((event) => !isDropped(event, write));
      statements.push(...statementsOf(write, node, () => false));
    } else {
      const { kind, actor, action, subject, detail } = write.note;
      const seq = audit.seq + 1;
      const hash = auditHash(audit.hash, { seq, timeMs: write.timeMs, ...write.note });
      audit = { seq, hash };
      const values = [node, seq, write.timeMs, kind, actor, action, subject, detail, hash];
      statements.push({ text: ADD_TO_AUDIT, values });
    }
  }
  const rows = rowsOf(events, packs);
  return { statements: rows.length > 0 ? [appendRows(rows), ...statements] : statements, audit };
}

function isDropped({ sessionId, seq, deltaOf }: NewEvent, drop: Drop): boolean {
  return deltaOf === drop.deltaOf && seq >= drop.from && seq < drop.before && sessionId === drop.sessionId;
}
