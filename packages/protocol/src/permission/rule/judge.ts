import type { BashCommand } from "./bash/command.ts";
import { coverCommand } from "./bash/cover-command.ts";
import type { GivenRule, RuleBehavior, RuleContext, ToolCall } from "./given-rule.ts";
import { matchesRule, readCall } from "./match.ts";
import { printRule } from "./rule.ts";

/** What a list of rules says about a call. */
export interface Judgement {
  readonly behavior: RuleBehavior | "none";
  /** The rules that decided: several if each allows a part of a shell command. */
  readonly rules: readonly GivenRule[];
  /** The parts of a shell command that no rule allows. */
  readonly uncovered: readonly string[];
  /** The reason, as text for people. */
  readonly reason: string;
}

const VERBS = { allow: "allowed", deny: "denied", ask: "question required" } as const;

/**
 * Judges a call by a list of rules, in which deny takes precedence over ask and ask over allow. A rule for a
 * whole tool covers every call of it. Each part of a shell command is judged separately, and all of them must
 * be allowed.
 */
export function judge(call: ToolCall, rules: readonly GivenRule[], context: RuleContext): Judgement {
  const read = readCall(call);
  const matching = (behavior: RuleBehavior) => (given: GivenRule) =>
    given.behavior === behavior && matchesRule(given, read, context);
  const forbidding = rules.find(matching("deny")) ?? rules.find(matching("ask"));
  if (forbidding) return decided(forbidding.behavior, [forbidding]);
  const unread = read.command && rules.find(forbidsPart);
  if (unread && read.command.isTooLong)
    return {
      ...decided("ask", [unread]),
      reason: `the command is too long to search for ${printRule(unread.rule)}`,
    };
  const isPart = ({ rule }: GivenRule) => read.command !== undefined && rule.content !== undefined;
  const allowing = rules.filter((given) => !isPart(given)).find(matching("allow"));
  if (allowing) return decided("allow", [allowing]);
  if (read.command) return judgeParts(read.command, rules.filter(isPart));
  return undecided(`no rule covers this call of ${read.toolName}`);
}

const forbidsPart = ({ behavior, rule }: GivenRule) => behavior !== "allow" && rule.content !== undefined;

function judgeParts(command: BashCommand, rules: readonly GivenRule[]): Judgement {
  const allowing = rules.filter(({ behavior, rule }) => behavior === "allow" && rule.toolName === "Bash");
  const cover = coverCommand(allowing, command);
  if (cover.uncovered.length === 0) return decided("allow", cover.rules);
  if (!command.reading.ok)
    return undecided(`the command can't be split safely: ${command.reading.reason}`, [command.text]);
  const [first = "", ...others] = cover.uncovered;
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  return undecided(`no rule covers ${first.slice(0, 200)}${more}`, cover.uncovered);
}

function decided(behavior: RuleBehavior, rules: readonly GivenRule[]): Judgement {
  const names = rules.map(
    ({ rule, source }) => printRule(rule) + (source === undefined ? "" : ` from ${source}`),
  );
  return { behavior, rules, uncovered: [], reason: `${VERBS[behavior]} by ${names.join(", ")}` };
}

function undecided(reason: string, uncovered: readonly string[] = []): Judgement {
  return { behavior: "none", rules: [], uncovered, reason };
}
