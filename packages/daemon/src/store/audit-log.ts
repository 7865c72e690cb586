import type { AuditFacts } from "./audit-hash.ts";
import { storable } from "./storable.ts";
import type { Write } from "./write.ts";

/** A stored entry of the audit log. */
export type AuditEntry = AuditFacts & {
  readonly hash: string;
  /** The node whose chain it stands in, and its place among those of all nodes; a store that one daemon has alone knows no others. */
  readonly node?: string;
  readonly position?: number;
};

/** An entry for the audit log. */
export type AuditNote = Omit<AuditFacts, "seq" | "timeMs">;

/** Makes writes that add to the audit log, to be written together with what they tell of. */
export type Audit = (note: AuditNote) => Write;

/** How much of each text is kept. */
const MAX_CHARS = 1000;

/** What is hashed is what will be read: a half of a pair is not stored as it is. */
const whole = (text: string) => Buffer.from(storable(text)).toString();

/** An audit log whose entries say nothing that `redact` takes out. */
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

/** A page that is wanted of the audit log. */
export interface AuditPage {
  readonly from: number;
  readonly backwards: boolean;
  /** Empty for all. */
  readonly kind: string;
  readonly limit: number;
}
