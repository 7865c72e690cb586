import type { GivenRule, RuleBehavior, RuleContext } from "../../../src/permission/rule/given-rule.ts";
import { judge } from "../../../src/permission/rule/judge.ts";
import { parseRule } from "../../../src/permission/rule/rule.ts";

/** The context of all calls in these tests. */
export const CONTEXT: RuleContext = { cwd: "/home/ada/app", home: "/home/ada" };

/** A rule as if from a settings file. */
export function given(behavior: RuleBehavior, text: string, root = "/home/ada/app"): GivenRule {
  const reading = parseRule(text);
  if (!reading.ok) throw new Error(`${text}: ${reading.reason}`);
  return { behavior, rule: reading.rule, root };
}

/** Bash rules of one behavior, by their contents. */
export function bashRules(behavior: RuleBehavior, contents: readonly string[]): readonly GivenRule[] {
  return contents.map((content) => ({ behavior, rule: { toolName: "Bash", content } }));
}

/** The judgement of a list of rules on a shell command. */
export function judgeCommand(command: string, rules: readonly GivenRule[]) {
  return judge({ toolName: "Bash", input: { command } }, rules, CONTEXT);
}
