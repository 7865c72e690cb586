import { RuleScope } from "@agentwire/api";
import { printRule } from "@agentwire/protocol/permission";
import type { ScopedRule } from "./engine.ts";

/**
 * The rules that forbid something, as flags for an agent without hooks. It can't ask either, so calls that would be asked about are denied,
 * and it knows nothing of exceptions that a narrower scope allows.
 */
export function ruleFlags(rules: readonly ScopedRule[]): readonly string[] {
  return asFlags(rules.filter(({ behavior }) => behavior !== "allow").map(fromRoot));
}

/** The same for an agent that reports its calls and can't be sent rules later: questions wait for the call. */
export function denyFlags(rules: readonly ScopedRule[]): readonly string[] {
  return asFlags(passedRules(rules).deny);
}

/** Rules in the words of an agent's settings. */
export interface PassedRules {
  readonly deny: readonly string[];
  readonly ask: readonly string[];
}

/**
 * The rules that an agent has to know because they apply where it makes no call: to files that a command names, that a search finds or
 * that a prompt mentions. A rule for a whole tool is about calls alone. Agents know no exceptions, so a denial that may have one is to
 * be asked, and then the exception answers.
 */
export function passedRules(rules: readonly ScopedRule[]): PassedRules {
  const forbidding = rules.filter(({ behavior, rule }) => behavior !== "allow" && rule.content !== undefined);
  const isFinal = (given: ScopedRule) =>
    given.behavior === "deny" && !rules.some((other) => excepts(other, given));
  const named = (list: readonly ScopedRule[]) => [...new Set(list.map(fromRoot))].toSorted();
  return {
    deny: named(forbidding.filter(isFinal)),
    ask: named(forbidding.filter((given) => !isFinal(given))),
  };
}

/** Whether a rule may allow what another one forbids; scopes are numbered from the narrowest. */
function excepts(other: ScopedRule, { scope, rule }: ScopedRule): boolean {
  const isNarrower = other.scope < scope && scope !== RuleScope.MANAGED;
  const isAlike = other.rule.toolName === rule.toolName || bothFiles(other.rule.toolName, rule.toolName);
  return other.behavior === "allow" && !other.isGranted && isNarrower && isAlike;
}

const bothFiles = (one: string, other: string) => PATHS.has(one) && PATHS.has(other);

const asFlags = (rules: readonly string[]) =>
  rules.length === 0 ? [] : ["--disallowedTools", ...new Set(rules)];

/** A rule whose path is spelt from the root of the disk: an agent knows nothing of the folder that it belongs to. */
function fromRoot({ rule, root }: ScopedRule): string {
  const { toolName, content = "" } = rule;
  const isBelow = root !== undefined && /^\/(?!\/)/.test(content) && PATHS.has(toolName);
  return printRule(isBelow ? { toolName, content: `/${root}${content}` } : rule);
}

const PATHS: ReadonlySet<string> = new Set(["Read", "Edit", "Write"]);
