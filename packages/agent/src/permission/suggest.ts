import { dirname } from "node:path";
import {
  type PermissionMode,
  type PermissionRule,
  type PermissionUpdate,
  ruleToValue,
  suggestRule,
} from "@agentwire/protocol/permission";
import type { LocatedAccess, LocatedCall } from "./call.ts";
import { INTERACTIVE_TOOLS } from "./evaluate.ts";
import type { AskEvaluation, Conditions } from "./evaluation.ts";

// No rule can prevent these questions.
const LASTING: ReadonlySet<string | undefined> = new Set([
  "rule",
  "hook",
  "safetyCheck",
  "mode",
  "sandboxOverride",
]);

/** The updates that mean "always allow" for a call. */
export function suggestUpdates(
  call: LocatedCall,
  evaluation: AskEvaluation,
  conditions: Conditions,
): readonly PermissionUpdate[] {
  if (LASTING.has(evaluation.reasonType) || INTERACTIVE_TOOLS.has(call.toolName)) return [];
  const { blocked } = evaluation;
  if (call.fileKind === "read") return allowing([suggestRule(call, conditions)], "session");
  if (call.fileKind === "write") return allowingEdits(blocked, conditions.mode).toReversed();
  if (blocked?.kind === "read") {
    const read = { toolName: "Read", input: { file_path: blocked.path } };
    return allowing([suggestRule(read, conditions)], "session");
  }
  const rules = allowing(suggestRules(call, evaluation, conditions), "localSettings");
  return blocked ? [...rules, ...allowingEdits(blocked, conditions.mode)] : rules;
}

function suggestRules(call: LocatedCall, { reasonType, open = [] }: AskEvaluation, conditions: Conditions) {
  if (reasonType !== "subcommandResults") return [suggestRule(call, conditions)];
  return open.map(({ source }) =>
    suggestRule({ toolName: call.toolName, input: { command: source } }, conditions),
  );
}

function allowing(
  suggested: readonly (PermissionRule | undefined)[],
  destination: "localSettings" | "session",
): readonly PermissionUpdate[] {
  const rules = suggested.flatMap((rule) => (rule ? [ruleToValue(rule)] : []));
  return rules.length > 0 ? [{ type: "addRules", rules, behavior: "allow", destination }] : [];
}

function allowingEdits(
  blocked: LocatedAccess | undefined,
  mode: PermissionMode,
): readonly PermissionUpdate[] {
  const destination = "session";
  const updates: PermissionUpdate[] = [];
  if (blocked) updates.push({ type: "addDirectories", directories: [dirname(blocked.path)], destination });
  // The other modes were chosen because they are stricter, or already allow edits.
  if (mode === "default" || mode === "auto")
    updates.push({ type: "setMode", mode: "acceptEdits", destination });
  return updates;
}
