import { type GivenRule, type Judgement, printRule } from "@agentwire/protocol/permission";
import type { LocatedCall } from "./call.ts";
import { evaluateShell } from "./evaluate-shell.ts";
import { allowed, allowedByMode, asksOutside, type Conditions, type Evaluation } from "./evaluation.ts";
import { judgeCall } from "./judge-call.ts";

/** Tools whose whole purpose is an answer of the user. */
export const INTERACTIVE_TOOLS: ReadonlySet<string> = new Set(["AskUserQuestion", "ExitPlanMode"]);

// They touch nothing but the session itself; what a subagent does is asked about when it does it.
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

// The user has not chosen what comes with the project.
const PERMANENT: ReadonlySet<string> = new Set(["userSettings", "localSettings"]);

/**
 * Judges a call in the official order: deny rule, ask rule, hook, question to the user, safety (but for bypass), bypass,
 * allow rule, the tool itself. Whatever is left is to be asked.
 */
export function evaluate(call: LocatedCall, conditions: Conditions): Evaluation {
  const said = judgeCall(call, conditions);
  return forcedOpinion(call, said, conditions) ?? freeOpinion(call, said, conditions);
}

/** What no mode and no allow rule can change. */
function forcedOpinion(call: LocatedCall, said: Judgement, conditions: Conditions): Evaluation | undefined {
  const { hookDecision, hookReason } = conditions;
  if (said.behavior === "deny") return denyOpinion(call, said);
  if (said.behavior === "ask" && !(staysInside(conditions) && isAboutAllCommands(said)))
    return { behavior: "ask", reasonType: "rule", reason: said.reason, rule: said.rules[0] };
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
  const reason = `a change of ${risky.path} is always asked about: ${risky.sensitive} decides what others run`;
  return { behavior: "ask", reasonType: "safetyCheck", reason, blocked: risky };
}

/** Whether a call moves the session into a checkout that was made for something else. */
function entersElsewhere({ toolName, input: { path } }: LocatedCall): boolean {
  const isElsewhere = typeof path === "string" && !/(?:^|\/)\.claude\/worktrees\/[^/]+\/?$/.test(path);
  return toolName === "EnterWorktree" && isElsewhere;
}

function freeOpinion(call: LocatedCall, said: Judgement, conditions: Conditions): Evaluation {
  const { mode, hookDecision, hookReason } = conditions;
  if (hookDecision === "allow") return allowed("hook", "hook", hookReason ?? "allowed by a PreToolUse hook");
  if (mode === "bypassPermissions") return allowedByMode(mode);
  if (conditions.sandbox?.placement === "override")
    return { behavior: "ask", reasonType: "sandboxOverride", reason: "Run outside of the sandbox" };
  if (mode === "plan" && call.fileKind === "write")
    return { behavior: "ask", reasonType: "mode", reason: "plan mode changes no files" };
  return said.behavior === "allow" ? ruleOpinion(call, said) : toolOpinion(call, said, conditions);
}

/** Whether nobody has to be asked about a command because the sandbox holds it; plan mode wants nothing changed anywhere. */
const staysInside = ({ sandbox, mode }: Conditions) =>
  sandbox?.placement === "inside" && sandbox.autoAllow && mode !== "plan";

/** Whether a rule asks about the tool as such and not about certain commands. */
const isAboutAllCommands = ({ rules }: Judgement) => rules.every(({ rule }) => rule.content === undefined);

/** Whether the sandbox keeps a command from reading what a rule closes. */
const isClosedInside = ({ sandbox }: Conditions, { behavior }: GivenRule) =>
  behavior === "deny" && sandbox?.placement === "inside" && sandbox.closesFiles;

function denyOpinion(call: LocatedCall, { rules, reason }: Judgement): Evaluation {
  const [given] = rules;
  return {
    behavior: "deny",
    source: PERMANENT.has(given?.source ?? "") ? "user_reject" : "config",
    reasonType: coversWhole(call, given) ? "rule" : "subcommandResults",
    reason,
    ...(!call.fileKind && { notRun: "permission-rule" as const }),
  };
}

/** Whether a rule is about the call as it stands, and not about a part of it or one that begins alike. */
function coversWhole({ toolName, input }: LocatedCall, given: GivenRule | undefined): boolean {
  const content = given?.rule.content;
  return toolName !== "Bash" || content === undefined || content.replace(/:\*$/, "") === input.command;
}

function ruleOpinion(call: LocatedCall, { rules, reason }: Judgement): Evaluation {
  const [given, ...others] = rules;
  if (!coversWhole(call, given) || others.length > 0) return allowed("config", "subcommandResults", reason);
  if (PERMANENT.has(given?.source ?? "")) return allowed("user_permanent", "rule", reason);
  return allowed(given?.source === "session" ? "user_temporary" : "config", "rule", reason);
}

function toolOpinion(call: LocatedCall, said: Judgement, conditions: Conditions): Evaluation {
  const { toolName, fileKind, accesses } = call;
  if (FREE_TOOLS.has(toolName)) return allowed("config", undefined, `${toolName} needs no permission`);
  if (toolName === "Bash") return evaluateShell(call, said, conditions, staysInside(conditions));
  if (!fileKind) return { behavior: "ask" };
  const outside = accesses.find(({ inside }) => !inside);
  if (call.unclear || outside) return asksOutside(outside);
  if (fileKind === "read") return allowed("config", "mode", "files of the project may be read");
  return conditions.mode === "acceptEdits" ? allowedByMode(conditions.mode) : { behavior: "ask" };
}
