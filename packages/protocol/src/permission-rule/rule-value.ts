import type { permissionRuleValue } from "../permission-update.ts";
import type { Infer } from "../schema/schema.ts";
import { type PermissionRule, permissionRule } from "./rule.ts";

/** A rule as permission updates carry it. */
export type PermissionRuleValue = Infer<typeof permissionRuleValue>;

/** The rule that a permission update carries. */
export function ruleFromValue({ toolName, ruleContent }: PermissionRuleValue): PermissionRule {
  return permissionRule(toolName, ruleContent);
}

/** A rule in the form of permission updates. */
export function ruleToValue({ toolName, content }: PermissionRule): PermissionRuleValue {
  return content === undefined ? { toolName } : { toolName, ruleContent: content };
}
