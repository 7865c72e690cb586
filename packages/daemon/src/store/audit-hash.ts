import { createHash } from "node:crypto";

/** An entry of the audit log without its hash. */
export interface AuditFacts {
  readonly seq: number;
  readonly timeMs: number;
  /** Its subject area: a decision, a rule, a token, a login, a mode, a backup. */
  readonly kind: string;
  /** Who did it. */
  readonly actor: string;
  /** What was done: allowed, revoked, refused. */
  readonly action: string;
  /** What it was done to. */
  readonly subject: string;
  readonly detail: string;
}

/** The hash of an entry. It includes the previous hash, so no entry can be changed or removed without changing all later ones. */
export function auditHash(before: string, facts: AuditFacts): string {
  const { seq, timeMs, kind, actor, action, subject, detail } = facts;
  const text = JSON.stringify([before, seq, timeMs, kind, actor, action, subject, detail]);
  return createHash("sha256").update(text).digest("hex");
}

/** Checks the audit log entry by entry, in order, up to the first that does not follow from the one before. */
export class AuditCheck {
  #seq = 0;
  #hash = "";

  /** The number of the last verified entry. */
  get seq(): number {
    return this.#seq;
  }

  /** The hash of that entry: a copy kept elsewhere proves whether anything up to here was changed. */
  get hash(): string {
    return this.#hash;
  }

  /** Whether the next entry follows from the one before. */
  follows({ hash, ...facts }: AuditFacts & { readonly hash: string }): boolean {
    const isNext = facts.seq === this.#seq + 1 && auditHash(this.#hash, facts) === hash;
    if (isNext) {
      this.#seq = facts.seq;
      this.#hash = hash;
    }
    return isNext;
  }
}
