import { randomUUID } from "node:crypto";
import { RuleBehavior as Behavior, RuleScope } from "@agentwire/api";
import { parseRule, printRule, type RuleBehavior } from "@agentwire/protocol/permission";
import type { Audit } from "../store/audit-log.ts";
import type { Store } from "../store/store.ts";
import type { RuleRow, Write } from "../store/write.ts";
import type { ScopedRule } from "./engine.ts";
import { isWithin } from "./folder-name.ts";

/** A rule as a client sends it. */
export interface NewRule {
  readonly rule: string;
  readonly behavior: RuleBehavior;
  readonly scope: RuleScope;
  readonly owner: string;
  readonly createdBy: string;
  /** Whether it was saved with a decision about one call. */
  readonly isGranted?: boolean;
}

/** A rule can't be saved or removed. */
export class RuleError extends Error {
  override readonly name = "RuleError";
}

/** The API's number for each behavior. */
export const BEHAVIORS = { allow: Behavior.ALLOW, ask: Behavior.ASK, deny: Behavior.DENY } as const;
const NAMES: ReadonlyMap<number, RuleBehavior> = new Map(
  Object.entries(BEHAVIORS).map(([name, value]) => [value, name as RuleBehavior]),
);

/** The behavior for a number of the API; undefined for an unknown one. */
export const behaviorOf = (value: number): RuleBehavior | undefined => NAMES.get(value);

/** All stored rules, in memory and on disk. */
export class RuleBook {
  readonly #store: Store;
  readonly #audit: Audit;
  readonly #rules = new Map<string, ScopedRule>();

  /** Loads the stored rules. */
  constructor(store: Store, rows: readonly RuleRow[], audit: Audit) {
    this.#store = store;
    this.#audit = audit;
    this.replace(rows);
  }

  /** Replaces all rules by the stored ones, for example after another node has changed them; managed rules stay. */
  replace(rows: readonly RuleRow[]): void {
    for (const { id, scope } of this.all) if (scope !== RuleScope.MANAGED) this.#rules.delete(id);
    for (const row of rows) {
      const rule = fromRow(row);
      // A stored rule is never managed, even if its row claims so.
      if (rule && rule.scope !== RuleScope.MANAGED) this.#rules.set(rule.id, rule);
    }
  }

  /** Replaces the managed rules. */
  manage(managed: readonly ScopedRule[]): void {
    for (const { id, scope } of this.all) if (scope === RuleScope.MANAGED) this.#rules.delete(id);
    for (const rule of managed) this.#rules.set(rule.id, rule);
  }

  get all(): readonly ScopedRule[] {
    return [...this.#rules.values()];
  }

  /** The rules that apply to a session in a folder. */
  covering(sessionId: string, cwd: string): readonly ScopedRule[] {
    return this.all.filter(({ scope, owner }) => {
      if (scope === RuleScope.SESSION) return owner === sessionId;
      return scope !== RuleScope.PROJECT || owner === "" || isWithin(cwd, owner);
    });
  }

  /** Saves a rule; it replaces one with the same pattern, scope and owner. */
  async set(given: NewRule): Promise<ScopedRule> {
    const rule = scopedRule(given);
    const text = printRule(rule.rule);
    const same = this.all.find(
      (other) => other.scope === rule.scope && other.owner === rule.owner && printRule(other.rule) === text,
    );
    const kept = same ? { ...rule, id: same.id } : rule;
    const { id, behavior, scope, owner, createdBy, isGranted } = kept;
    const row = { id, rule: text, behavior: BEHAVIORS[behavior], scope, owner, createdBy, isGranted };
    await this.#store.write([
      { type: "keepRule", rule: { ...row, createdMs: Date.now() } },
      this.#note(kept, kept.createdBy, "kept"),
    ]);
    this.#rules.set(kept.id, kept);
    return kept;
  }

  /** Deletes a rule; false if there is none with that id, or it is managed. */
  async remove(id: string, by: string): Promise<boolean> {
    const rule = this.#rules.get(id);
    if (!rule) return false;
    if (rule.scope === RuleScope.MANAGED)
      throw new RuleError(`this rule is managed: it can only be changed in ${rule.createdBy}`);
    const { scope, owner } = rule;
    await this.#store.write([
      { type: "removeRule", scope, owner, rule: printRule(rule.rule) },
      this.#note(rule, by, "removed"),
    ]);
    return this.#rules.delete(id);
  }

  #note({ rule, behavior, source, owner }: ScopedRule, actor: string, action: string): Write {
    const subject = `${behavior} ${printRule(rule)}`;
    return this.#audit({ kind: "rule", actor, action, subject, detail: [source, owner].join(" ").trim() });
  }
}

/** Parses a rule of a client; throws a `RuleError` if it is invalid. */
export function scopedRule({
  rule: text,
  behavior,
  scope,
  owner,
  createdBy,
  isGranted = false,
}: NewRule): ScopedRule {
  const reading = parseRule(text);
  if (!reading.ok) throw new RuleError(`${text} is not a rule: ${reading.reason}`);
  const root = scope === RuleScope.PROJECT && owner !== "" ? { root: owner } : {};
  return {
    id: randomUUID(),
    rule: reading.rule,
    behavior,
    scope,
    owner,
    createdBy,
    isGranted,
    source: sourceOf(scope),
    ...root,
  };
}

const SOURCES: Readonly<Record<number, string>> = {
  [RuleScope.SESSION]: "the session",
  [RuleScope.PROJECT]: "the project",
  [RuleScope.USER]: "the user",
  [RuleScope.MANAGED]: "managed settings",
};
const sourceOf = (scope: RuleScope) => SOURCES[scope] ?? "nowhere";

/** Ignores a row that this daemon does not understand. */
function fromRow({ createdMs: _, ...row }: RuleRow): ScopedRule | undefined {
  const behavior = behaviorOf(row.behavior);
  if (!behavior || !parseRule(row.rule).ok) return undefined;
  return { ...scopedRule({ ...row, behavior }), id: row.id };
}
