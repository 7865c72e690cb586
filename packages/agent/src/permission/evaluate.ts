import { type GivenRule, type Judgement, printRule } from "@agentwire/protocol/permission";
import type { LocatedCall } from "./call.ts";
import { evaluateShell } from "./evaluate-shell.ts";
import { allowed, allowedByMode, asksOutside, type Conditions, type Evaluation } from "./evaluation.ts";
import { judgeCall } from "./judge-call.ts";

/** Tools that exist only to get an answer from the user. */
export const INTERACTIVE_TOOLS: ReadonlySet<string> = new Set(["AskUserQuestion", "ExitPlanMode"]);

// These affect only the session itself; a subagent's calls are checked when it makes them.
const FREE_TOOLS: ReadonlySet<string> = new Set([
  "Agent",
  "EnterPlanMode",
  "EnterWorktree",
  "ExitWorktree",
  "ListMcpResourcesTool",
  "MemoryRead",
  "MemorySearch",
  "ReadMcpResourceTool",
  "StructuredOutput",
  "TaskCreate",
  "TaskGet",
  "TaskList",
  "TaskOutput",
  "TaskStop",
  "TaskUpdate",
  "TodoWrite",
  "ToolSearch",
]);

// Project settings are left out: the user has not chosen them.
const PERMANENT: ReadonlySet<string> = new Set(["userSettings", "localSettings"]);

/**
 * Judges a call in the official order: deny rule, ask rule, hook, question to the user, safety (except in bypass mode), bypass,
 * allow rule, the tool itself. Anything else needs a question.
 */
export function evaluate(call: LocatedCall, conditions: Conditions): Evaluation {
  const judgement = judgeCall(call, conditions);
  return forcedEvaluation(call, judgement, conditions) ?? ordinaryEvaluation(call, judgement, conditions);
}

/** The evaluation that no mode or allow rule can override, if there is one. */
function forcedEvaluation(
  call: LocatedCall,
  judgement: Judgement,
  conditions: Conditions,
): Evaluation | undefined {
  const { hookDecision, hookReason } = conditions;
  if (judgement.behavior === "deny") return denyEvaluation(call, judgement);
  if (judgement.behavior === "ask" && !(staysInside(conditions) && isAboutAllCommands(judgement)))
    return { behavior: "ask", reasonType: "rule", reason: judgement.reason, rule: judgement.rules[0] };
  if (conditions.closed && !isClosedInside(conditions, conditions.closed)) {
    const reason = `it may read what ${printRule(conditions.closed.rule)} denies`;
    return { behavior: "ask", reasonType: "rule", reason, rule: conditions.closed };
  }
  if (hookDecision === "ask") return { behavior: "ask", reasonType: "hook", reason: hookReason };
  if (INTERACTIVE_TOOLS.has(call.toolName)) return { behavior: "ask" };
  if (entersElsewhere(call) && conditions.mode !== "bypassPermissions")
    return {
      behavior: "ask",
      reasonType: "workingDir",
      reason: "it moves the session out of .claude/worktrees",
    };
  const risky = call.accesses.find(({ sensitive }) => sensitive !== undefined);
  if (!risky || conditions.mode === "bypassPermissions") return undefined;
  const reason = `edits of ${risky.path} always need permission: ${risky.sensitive} can control what other programs run`;
  return { behavior: "ask", reasonType: "safetyCheck", reason, blocked: risky };
}

/** Whether a call moves the session into a checkout outside `.claude/worktrees`. */
function entersElsewhere({ toolName, input: { path } }: LocatedCall): boolean {
  const isElsewhere = typeof path === "string" && !/(?:^|\/)\.claude\/worktrees\/[^/]+\/?$/.test(path);
  return toolName === "EnterWorktree" && isElsewhere;
}

function ordinaryEvaluation(call: LocatedCall, judgement: Judgement, conditions: Conditions): Evaluation {
  const { mode, hookDecision, hookReason } = conditions;
  if (hookDecision === "allow") return allowed("hook", "hook", hookReason ?? "allowed by a PreToolUse hook");
  if (mode === "bypassPermissions") return allowedByMode(mode);
  if (conditions.sandbox?.placement === "override")
    return { behavior: "ask", reasonType: "sandboxOverride", reason: "Run outside of the sandbox" };
  if (mode === "plan" && call.fileKind === "write")
    return { behavior: "ask", reasonType: "mode", reason: "plan mode changes no files" };
  return judgement.behavior === "allow"
    ? ruleEvaluation(call, judgement)
    : toolEvaluation(call, judgement, conditions);
}

/** Whether the sandbox makes a question unnecessary. Plan mode still asks: it allows no changes anywhere. */
const staysInside = ({ sandbox, mode }: Conditions) =>
  sandbox?.placement === "inside" && sandbox.autoAllow && mode !== "plan";

/** Whether the rules concern the whole tool and not certain commands. */
const isAboutAllCommands = ({ rules }: Judgement) => rules.every(({ rule }) => rule.content === undefined);

/** Whether the sandbox already keeps a command from reading what a rule closes. */
const isClosedInside = ({ sandbox }: Conditions, { behavior }: GivenRule) =>
  behavior === "deny" && sandbox?.placement === "inside" && sandbox.closesFiles;

function denyEvaluation(call: LocatedCall, { rules, reason }: Judgement): Evaluation {
  const [given] = rules;
  return {
    behavior: "deny",
    source: PERMANENT.has(given?.source ?? "") ? "user_reject" : "config",
    reasonType: coversWhole(call, given) ? "rule" : "subcommandResults",
    reason,
    ...(!call.fileKind && { notRun: "permission-rule" as const }),
  };
}

/** Whether a rule covers the entire call, not just a part or a common prefix of it. */
function coversWhole({ toolName, input }: LocatedCall, given: GivenRule | undefined): boolean {
  const content = given?.rule.content;
  return toolName !== "Bash" || content === undefined || content.replace(/:\*$/, "") === input.command;
}

function ruleEvaluation(call: LocatedCall, { rules, reason }: Judgement): Evaluation {
  const [given, ...others] = rules;
  if (!coversWhole(call, given) || others.length > 0) return allowed("config", "subcommandResults", reason);
  if (PERMANENT.has(given?.source ?? "")) return allowed("user_permanent", "rule", reason);
  return allowed(given?.source === "session" ? "user_temporary" : "config", "rule", reason);
}

function toolEvaluation(call: LocatedCall, judgement: Judgement, conditions: Conditions): Evaluation {
  const { toolName, fileKind, accesses } = call;
  if (FREE_TOOLS.has(toolName)) return allowed("config", undefined, `${toolName} needs no permission`);
  if (toolName === "Bash") return evaluateShell(call, judgement, conditions, staysInside(conditions));
  if (!fileKind) return { behavior: "ask" };
  const outside = accesses.find(({ inside }) => !inside);
  if (call.unclear || outside) return asksOutside(outside);
  if (fileKind === "read") return allowed("config", "mode", "files of the project may be read");
  return conditions.mode === "acceptEdits" ? allowedByMode(conditions.mode) : { behavior: "ask" };
}
