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

/** A stored rule in the form used to evaluate calls. */
export interface ScopedRule extends GivenRule {
  readonly id: string;
  readonly scope: RuleScope;
  /** The session or folder that it belongs to; empty if it applies everywhere. */
  readonly owner: string;
  readonly createdBy: string;
  /** Whether it was saved with a decision about one call. Such a rule never overrides a denial, in any scope. */
  readonly isGranted: boolean;
}

/** The decision of the rules about a call, and the rules behind it. */
export interface RuleDecision {
  /** `none`: no rule applies, so the question is asked. */
  readonly behavior: RuleBehavior | "none";
  readonly rules: readonly ScopedRule[];
  readonly reason: string;
  /** Rules of other scopes that would have decided otherwise. */
  readonly outvoted: readonly ScopedRule[];
}

/** The scopes in order of precedence. */
const SCOPES = [RuleScope.SESSION, RuleScope.PROJECT, RuleScope.USER, RuleScope.MANAGED] as const;

/**
 * Evaluates a call. Within a scope, deny takes precedence over ask, and ask over allow. The first scope with a matching rule
 * decides, but a managed rule is never loosened, and a rule saved with a decision never overrides a denial.
 */
export function evaluate(call: ToolCall, rules: readonly ScopedRule[], context: RuleContext): RuleDecision {
  const judged = SCOPES.flatMap((scope) => {
    const own = rules.filter((rule) => rule.scope === scope);
    return own.length === 0 ? [] : [{ scope, ...judge(call, own, context) }];
  });
  const matching = judged.filter(({ behavior }) => behavior !== "none");
  const [first] = matching;
  const deciding = matching.find((other) => first && outweighs(other, first)) ?? first;
  if (!deciding) {
    const reason = `${uncoveredReason(judged)}, so it is asked about`;
    return { behavior: "none", rules: [], outvoted: [], reason };
  }
  const others = matching
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

/** Whether the judgement of a scope takes precedence over that of an earlier one. */
function outweighs({ scope, behavior }: ScopeJudgement, first: ScopeJudgement): boolean {
  if (behavior === "deny")
    return scope === RuleScope.MANAGED || (first.behavior === "allow" && first.rules.some(isGranted));
  return behavior === "ask" && scope === RuleScope.MANAGED && first.behavior === "allow";
}

const isGranted = (rule: GivenRule) => (rule as ScopedRule).isGranted;

/** Names the parts of a call that no rule allows, for the scope that covers most of the command. */
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

/** The name of a rule in events and on screens. */
export const nameOf = ({ rule }: GivenRule): string => printRule(rule);
