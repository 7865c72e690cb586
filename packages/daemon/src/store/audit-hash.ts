import { createHash } from "node:crypto";

/** An entry of the audit log without its hash. */
export interface AuditFacts {
  readonly seq: number;
  readonly timeMs: number;
  /** What it is about: a decision, a rule, a token, a login, a mode, a backup. */
  readonly kind: string;
  /** Who did it. */
  readonly actor: string;
  /** What was done: allowed, revoked, refused. */
  readonly action: string;
  /** What it was done to. */
  readonly subject: string;
  readonly detail: string;
}

/** The hash of an entry: it covers the one before, so no entry can be changed or taken away without changing all after it. */
export function auditHash(before: string, facts: AuditFacts): string {
  const { seq, timeMs, kind, actor, action, subject, detail } = facts;
  const text = JSON.stringify([before, seq, timeMs, kind, actor, action, subject, detail]);
  return createHash("sha256").update(text).digest("hex");
}

/** Goes through the audit log in its order, entry by entry, up to the first that does not follow from the one before. */
export class AuditCheck {
  #seq = 0;
  #hash = "";

  /** The number of the last entry that was found in order. */
  get seq(): number {
    return this.#seq;
  }

  /** The hash of that entry: a copy kept elsewhere shows whether anything up to here was changed. */
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
