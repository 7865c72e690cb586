import { auditHash } from "../audit-hash.ts";
import type { SharedBook } from "../nodes.ts";
import type { Write } from "../write.ts";
import type { PgStatement } from "./connection.ts";
import { CHANNEL } from "./node-connection.ts";
import { type NewEvent, rowsOf } from "./packed-events.ts";
import { type AnyWrite, appendRows, statementsOf } from "./statements.ts";

/** A queued write, encoded except for parts that depend on the writes committed with it. */
export type Encoded =
  | NewEvent
  | Drop
  | Extract<Write, { readonly type: "audit" }>
  | { readonly type: "sql"; readonly statement: PgStatement };

type Drop = Extract<Write, { readonly type: "dropDeltas" }>;

/** The end of the audit log's chain. */
export interface AuditEnd {
  readonly seq: number;
  readonly hash: string;
}

/** What other nodes cache of each write. */
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

/** Encodes a node's write. */
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

/** The SQL for the writes of one commit: all events in one statement, and numbered entries of the audit log. */
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
      // Events that the same commit drops are not written at all.
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
