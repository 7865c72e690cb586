import { array } from "../schema/collection.ts";
import { object, optional } from "../schema/object.ts";
import { literal, nullable, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { exact } from "../schema/schema.ts";
import { variants } from "../schema/union.ts";
import { permissionMode } from "./mode.ts";

/** What a rule does with the tool calls it covers. */
export const ruleBehavior = literal("allow", "deny", "ask");

/** One rule of an update: a whole tool, or the calls that the content describes. */
export const permissionRuleValue = object({
  toolName: string,
  ruleContent: optional(nullable(string), "absent or null: the whole tool"),
});

const destination = literal("userSettings", "projectSettings", "localSettings", "session", "cliArg");

const rules = { rules: array(permissionRuleValue), behavior: ruleBehavior, destination };
const directories = { directories: array(string), destination };

/**
 * A change to the permissions of a session or a settings file. It is read completely or kept as an `Unknown`
 * that is never applied: a rule that lost its content would cover the whole tool, and a replacement that lost
 * a rule would delete it.
 */
export const permissionUpdate = variants("PermissionUpdate", "type", {
  addRules: exact(object({ type: literal("addRules"), ...rules })),
  replaceRules: exact(object({ type: literal("replaceRules"), ...rules })),
  removeRules: exact(object({ type: literal("removeRules"), ...rules })),
  setMode: exact(object({ type: literal("setMode"), mode: permissionMode, destination })),
  addDirectories: exact(object({ type: literal("addDirectories"), ...directories })),
  removeDirectories: exact(object({ type: literal("removeDirectories"), ...directories })),
});

/** A change to the permissions of a session or a settings file. */
export type PermissionUpdate = Infer<typeof permissionUpdate>;

/** Where an update is stored: in a settings file, or for this session only. */
export type PermissionDestination = Infer<typeof destination>;
