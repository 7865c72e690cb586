import type { AuditFacts } from "./audit-hash.ts";
import { storable } from "./storable.ts";
import type { Write } from "./write.ts";

/** A stored entry of the audit log. */
export type AuditEntry = AuditFacts & {
  readonly hash: string;
  /** The node whose chain it belongs to, and its position among the entries of all nodes; absent in a store with a single daemon. */
  readonly node?: string;
  readonly position?: number;
};

/** An entry for the audit log. */
export type AuditNote = Omit<AuditFacts, "seq" | "timeMs">;

/** Creates the write for an audit entry, to be committed together with the change that it records. */
export type Audit = (note: AuditNote) => Write;

/** The maximum length of each text. */
const MAX_CHARS = 1000;

/** Normalizes a text before hashing, since stores do not preserve lone surrogates. */
const whole = (text: string) => Buffer.from(storable(text)).toString();

/** Creates entries with secrets removed by `redact`. */
export function auditWith(redact: (text: string) => string, now: () => number): Audit {
  const kept = (text: string) => {
    const clean = redact(whole(text.slice(0, 2 * MAX_CHARS)));
    return clean.length > MAX_CHARS ? `${clean.slice(0, MAX_CHARS)}…` : clean;
  };
  return ({ kind, actor, action, subject, detail }) => ({
    type: "audit",
    timeMs: now(),
    note: { kind, actor: kept(actor), action, subject: kept(subject), detail: kept(detail) },
  });
}

/** A page of the audit log to read. */
export interface AuditPage {
  readonly from: number;
  readonly backwards: boolean;
  /** Empty for all. */
  readonly kind: string;
  readonly limit: number;
}
