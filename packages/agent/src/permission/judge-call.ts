import { type GivenRule, type Judgement, judge } from "@agentwire/protocol/permission";
import type { LocatedAccess, LocatedCall } from "./call.ts";
import type { Conditions } from "./evaluation.ts";

/**
 * What the rules say about a call and about the files that its shell command names. In a worktree, the stricter judgement of the
 * two places counts.
 */
export function judgeCall(call: LocatedCall, conditions: Conditions): Judgement {
  const { origin } = conditions;
  const here = judgeAt(call, conditions);
  if (!origin || here.behavior === "deny") return here;
  const before = judgeAt(origin.sees(call), { ...conditions, ...origin });
  if (before.behavior === "deny" || here.behavior === "ask")
    return before.behavior === "deny" ? before : here;
  return before.behavior === "ask" ? before : here;
}

function judgeAt(call: LocatedCall, conditions: Conditions): Judgement {
  const { cwd, home, rules } = conditions;
  const resolvedPaths = call.accesses.flatMap(({ real }) => real);
  const own = judge(call, usableRules(rules, call), { cwd, home, resolvedPaths });
  if (own.behavior === "deny" || call.fileKind) return own;
  const forbidding = rules.filter(({ behavior, rule }) => behavior !== "allow" && rule.content !== undefined);
  const files = call.accesses.map((access) => judgeAccess(access, forbidding, conditions));
  const denied = files.find(({ behavior }) => behavior === "deny");
  if (denied || own.behavior === "ask") return denied ?? own;
  return files.find(({ behavior }) => behavior === "ask") ?? own;
}

/** Whether rules with a path allow an access of a shell command. */
export function isAllowedByRule(access: LocatedAccess, conditions: Conditions): boolean {
  const allowing = conditions.rules.filter(
    ({ behavior, rule }) => behavior === "allow" && rule.content !== undefined,
  );
  return access.real.length > 0 && judgeAccess(access, allowing, conditions).behavior === "allow";
}

function judgeAccess(
  { kind, path, real }: LocatedAccess,
  rules: readonly GivenRule[],
  { cwd, home }: Conditions,
): Judgement {
  const call = { toolName: kind === "write" ? "Write" : "Read", input: { file_path: path } };
  return judge(call, rules, { cwd, home, resolvedPaths: real });
}

// An unclear path could be any path, so a rule with a path can't allow it.
function usableRules(rules: readonly GivenRule[], { unclear }: LocatedCall): readonly GivenRule[] {
  return unclear
    ? rules.filter(({ behavior, rule }) => behavior !== "allow" || rule.content === undefined)
    : rules;
}
