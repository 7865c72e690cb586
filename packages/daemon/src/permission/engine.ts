import { RuleScope } from "@agentwire/api";
import {
  type GivenRule,
  type Judgement,
  judge,
  printRule,
  type RuleBehavior,
  type RuleContext,
  type ToolCall,
} from "@agentwire/protocol/permission";

/** A stored rule in the form that calls are judged by. */
export interface ScopedRule extends GivenRule {
  readonly id: string;
  readonly scope: RuleScope;
  /** The session or the folder that it belongs to; empty where it holds for all. */
  readonly owner: string;
  readonly createdBy: string;
  /** Whether it was saved with a decision about one call: then it overrides no denial, in any scope. */
  readonly isGranted: boolean;
}

/** What the rules say of a call, and which of them. */
export interface RuleDecision {
  /** `none`: no rule applies, so the question is asked. */
  readonly behavior: RuleBehavior | "none";
  readonly rules: readonly ScopedRule[];
  readonly reason: string;
  /** Rules of later scopes that would have decided. */
  readonly outvoted: readonly ScopedRule[];
}

/** The order in which scopes are asked. */
const SCOPES = [RuleScope.SESSION, RuleScope.PROJECT, RuleScope.USER, RuleScope.MANAGED] as const;

/**
 * Judges a call. Inside a scope deny goes before ask and ask before allow; the first scope that says anything decides, but
 * a managed rule is never loosened, and a rule from an answer overrides no denial.
 */
export function evaluate(call: ToolCall, rules: readonly ScopedRule[], context: RuleContext): RuleDecision {
  const judged = SCOPES.flatMap((scope) => {
    const own = rules.filter((rule) => rule.scope === scope);
    return own.length === 0 ? [] : [{ scope, ...judge(call, own, context) }];
  });
  const spoken = judged.filter(({ behavior }) => behavior !== "none");
  const [first] = spoken;
  const deciding = spoken.find((other) => first && outweighs(other, first)) ?? first;
  if (!deciding) {
    const reason = `${uncoveredReason(judged)}, so it is asked`;
    return { behavior: "none", rules: [], outvoted: [], reason };
  }
  const others = spoken
    .filter((one) => one !== deciding)
    .flatMap((one) => one.rules as readonly ScopedRule[]);
  return {
    behavior: deciding.behavior as RuleBehavior,
    rules: deciding.rules as readonly ScopedRule[],
    outvoted: others,
    reason: deciding.reason,
  };
}

interface ScopeJudgement extends Judgement {
  readonly scope: RuleScope;
}

/** Whether what a scope says counts although an earlier one has spoken. */
function outweighs({ scope, behavior }: ScopeJudgement, first: ScopeJudgement): boolean {
  if (behavior === "deny")
    return scope === RuleScope.MANAGED || (first.behavior === "allow" && first.rules.some(isGranted));
  return behavior === "ask" && scope === RuleScope.MANAGED && first.behavior === "allow";
}

const isGranted = (rule: GivenRule) => (rule as ScopedRule).isGranted;

/** The parts of a call that no rule allows, by the scope that covers most of the command. */
function uncoveredReason(judged: readonly Judgement[]): string {
  const [nearest, ...others] = judged
    .filter(({ uncovered }) => uncovered.length > 0)
    .toSorted((a, b) => a.uncovered.length - b.uncovered.length);
  if (!nearest) return "no rule covers this call";
  const isShared = others.some(
    ({ uncovered }) => !nearest.uncovered.every((part) => uncovered.includes(part)),
  );
  return isShared ? "no single scope's rules cover all of this command" : nearest.reason;
}

/** How a rule is called in events and on screens. */
export const nameOf = ({ rule }: GivenRule): string => printRule(rule);
