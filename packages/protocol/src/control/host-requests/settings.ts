import { effortLevel, settingsError } from "../../catalog/catalog.ts";
import { ruleBehavior } from "../../permission/update.ts";
import { array } from "../../schema/collection.ts";
import { defaulted, object, optional, required } from "../../schema/object.ts";
import { boolean, jsonObject, literal, nullable, number, oneOf, string } from "../../schema/scalar.ts";
import { about } from "../../schema/schema.ts";
import { either } from "../../schema/union.ts";
import { acknowledgement } from "../request-table.ts";

const permissionRuleRow = object({
  behavior: ruleBehavior,
  source: oneOf(
    "userSettings",
    "projectSettings",
    "localSettings",
    "flagSettings",
    "policySettings",
    "cliArg",
    "command",
    "session",
    "mcpMount",
    "toolsNarrowing",
    "mcpServerPolicy",
    "hostCredential",
  ),
  rule: string,
  description: optional(object({ prefix: string, emphasis: optional(string), suffix: optional(string) })),
  editability: defaulted(oneOf("persistent", "session", "readonly"), "readonly"),
  notInEffect: optional(boolean),
});

/** Requests that read or change settings and list the rules in effect. */
export const settingsRequests = {
  apply_flag_settings: {
    request: about(
      "R",
      "Overrides settings of the session: all of those given, or none.",
      object({
        subtype: literal("apply_flag_settings"),
        settings: required(jsonObject, "null clears a key"),
      }),
    ),
    response: acknowledgement,
  },
  get_settings: {
    request: about(
      "X",
      "Asks for the merged settings and for each of their sources.",
      object({ subtype: literal("get_settings") }),
    ),
    response: object({
      effective: defaulted(jsonObject, {}),
      sources: defaulted(array(object({ source: string, settings: defaulted(jsonObject, {}) })), []),
      applied: optional(
        object({
          model: optional(nullable(string)),
          effort: optional(nullable(either(effortLevel, number))),
        }),
      ),
      errors: optional(array(settingsError)),
      served_settings_state: optional(
        oneOf("ok", "pending", "stale_cache", "failed", "ineligible"),
        "from 2.1.328 on: whether the settings from the organization's server are applied",
      ),
    }),
  },
  update_settings: {
    request: about(
      "X",
      "Writes to a settings file the few settings that a host may write.",
      object({
        subtype: literal("update_settings"),
        source: literal("localSettings", "userSettings"),
        settings: jsonObject,
      }),
    ),
    response: acknowledgement,
  },
  list_permission_rules: {
    request: about(
      "X",
      "Asks for the permission rules in effect and the folders that belong to the workspace.",
      object({ subtype: literal("list_permission_rules") }),
    ),
    response: object({
      state: object({
        rules: defaulted(array(permissionRuleRow), []),
        workspaceDirectories: defaulted(array(object({ path: string, source: defaulted(string, "") })), []),
        originalCwd: defaulted(string, ""),
        managedOnly: defaulted(boolean, false),
        errors: optional(array(settingsError)),
        withheld: optional(boolean),
      }),
    }),
  },
};
