import type { JsonObject } from "@agentwire/protocol";
import { printRule } from "@agentwire/protocol/permission";
import { errorRow } from "../settings/describe-settings.ts";
import type { SettingsError } from "../settings/settings.ts";
import type { Permissions } from "./permissions.ts";

const EDITABILITY: ReadonlyMap<string | undefined, string> = new Map([
  ["userSettings", "persistent"],
  ["projectSettings", "persistent"],
  ["localSettings", "persistent"],
  ["session", "session"],
]);

/** The state that `list_permission_rules` answers with. */
export function describeRules(
  permissions: Permissions,
  originalCwd: string,
  settingsErrors: readonly SettingsError[],
): JsonObject {
  const { managedOnly } = permissions;
  const errors = [...settingsErrors, ...permissions.errors];
  return {
    rules: permissions.givenRules.map((given) => ({
      behavior: given.behavior,
      source: given.source,
      rule: printRule(given.rule),
      editability: EDITABILITY.get(given.source) ?? "readonly",
      ...(permissions.counts(given, managedOnly) ? {} : { notInEffect: true }),
    })),
    workspaceDirectories: permissions.directories,
    originalCwd,
    managedOnly,
    ...(errors.length > 0 ? { errors: errors.map(errorRow) } : {}),
  };
}
