import { RuleBehavior, RuleScope } from "@agentwire/api";

/** What rules do and where they hold, by the words that people use. */
export const BEHAVIORS = {
  allow: RuleBehavior.ALLOW,
  ask: RuleBehavior.ASK,
  deny: RuleBehavior.DENY,
} as const;

export const SCOPES = {
  session: RuleScope.SESSION,
  project: RuleScope.PROJECT,
  user: RuleScope.USER,
  managed: RuleScope.MANAGED,
} as const;

const nameIn = (table: Readonly<Record<string, number>>, value: number) =>
  Object.keys(table).find((name) => table[name] === value) ?? "unknown";

export const behaviorName = (behavior: RuleBehavior): string => nameIn(BEHAVIORS, behavior);

export const scopeName = (scope: RuleScope): string => nameIn(SCOPES, scope);
