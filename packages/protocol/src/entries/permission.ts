/** Permission modes, answers and updates; rules, and how they judge a call. */

export { BUILT_IN_TOOLS } from "../catalog/built-in-tools.ts";
export { currentToolName, FORMER_TOOL_NAMES } from "../catalog/tool-name.ts";
export { PERMISSION_MODES, type PermissionMode, toPermissionMode } from "../permission/mode.ts";
export {
  type PermissionAllow,
  type PermissionDeny,
  type PermissionResult,
  readPermissionResult,
} from "../permission/result.ts";
export { coversBelow, fileRuleName, rulePath } from "../permission/rule/file-rule.ts";
export type { GivenRule, RuleBehavior, RuleContext, ToolCall } from "../permission/rule/given-rule.ts";
export { type Judgement, judge } from "../permission/rule/judge.ts";
export {
  type PermissionRule,
  type PermissionRuleValue,
  parseRule,
  parseRuleList,
  printRule,
  type RuleReading,
  ruleFromValue,
  ruleToValue,
} from "../permission/rule/rule.ts";
export { suggestRule } from "../permission/rule/suggest.ts";
export { type PermissionDestination, type PermissionUpdate, permissionUpdate } from "../permission/update.ts";
