import { RuleScope } from "@agentwire/api";
import { printRule } from "@agentwire/protocol/permission";
import type { ScopedRule } from "./engine.ts";

/**
 * The rules that forbid something, as flags for an agent without hooks. It can't ask either, so calls that should be asked about are
 * denied, and exceptions that a narrower scope allows have no effect.
 */
export function ruleFlags(rules: readonly ScopedRule[]): readonly string[] {
  return asFlags(rules.filter(({ behavior }) => behavior !== "allow").map(fromRoot));
}

/** The same for an agent that reports its calls but can't receive rules later: only denials, since questions are asked at each call. */
export function denyFlags(rules: readonly ScopedRule[]): readonly string[] {
  return asFlags(passedRules(rules).deny);
}

/** Rules in the form of an agent's settings. */
export interface PassedRules {
  readonly deny: readonly string[];
  readonly ask: readonly string[];
}

/**
 * The rules that an agent itself has to know, because they also apply without a call: to files that a command names, that a search finds
 * or that a prompt mentions. A rule for a whole tool only concerns calls. Agents do not support exceptions, so a denial that may have one
 * is passed as `ask`, and the exception is applied to the question.
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

/** Whether a rule may allow what another one forbids; scopes are numbered from the narrowest to the widest. */
function excepts(other: ScopedRule, { scope, rule }: ScopedRule): boolean {
  const isNarrower = other.scope < scope && scope !== RuleScope.MANAGED;
  const isAlike = other.rule.toolName === rule.toolName || bothFiles(other.rule.toolName, rule.toolName);
  return other.behavior === "allow" && !other.isGranted && isNarrower && isAlike;
}

const bothFiles = (one: string, other: string) => PATHS.has(one) && PATHS.has(other);

const asFlags = (rules: readonly string[]) =>
  rules.length === 0 ? [] : ["--disallowedTools", ...new Set(rules)];

/** Spells the path of a rule from the file system's root, since an agent does not know the folder that the rule belongs to. */
function fromRoot({ rule, root }: ScopedRule): string {
  const { toolName, content = "" } = rule;
  const isBelow = root !== undefined && /^\/(?!\/)/.test(content) && PATHS.has(toolName);
  return printRule(isBelow ? { toolName, content: `/${root}${content}` } : rule);
}

const PATHS: ReadonlySet<string> = new Set(["Read", "Edit", "Write"]);
