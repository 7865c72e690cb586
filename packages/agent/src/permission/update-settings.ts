import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { type PermissionUpdate, parseRule, printRule, ruleFromValue } from "@agentwire/protocol/permission";

/** Settings after a permission update; unchanged if the update can't be expressed as settings. */
export function updateSettings(settings: JsonObject, update: PermissionUpdate): JsonObject {
  switch (update.type) {
    case "addRules":
    case "replaceRules":
    case "removeRules":
      return withList(settings, update.behavior, canonical, (rules) => {
        const given = update.rules.map((value) => printRule(ruleFromValue(value))).filter(isRule);
        return changeList(update.type, rules, given);
      });
    case "addDirectories":
    case "removeDirectories":
      return withList(settings, "additionalDirectories", String, (folders) =>
        changeList(update.type, folders, update.directories),
      );
    case "setMode":
      return withPermission(settings, "defaultMode", update.mode);
    case "unknown":
      return settings;
  }
}

/** The strings of a list in the `permissions` of settings. */
export function permissionList(settings: JsonObject, key: string): readonly string[] {
  const list = isJsonObject(settings.permissions) ? settings.permissions[key] : undefined;
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}

function withList(
  settings: JsonObject,
  key: string,
  form: (item: string) => string,
  change: (list: readonly string[]) => readonly string[],
): JsonObject {
  const before = permissionList(settings, key).map(form);
  return withPermission(settings, key, [...new Set(change(before))]);
}

function withPermission(settings: JsonObject, key: string, value: unknown): JsonObject {
  const permissions = isJsonObject(settings.permissions) ? settings.permissions : {};
  return { ...settings, permissions: { ...permissions, [key]: value } };
}

function changeList(
  type: Exclude<PermissionUpdate["type"], "setMode" | "unknown">,
  list: readonly string[],
  given: readonly string[],
): readonly string[] {
  if (type === "addRules" || type === "addDirectories") return [...list, ...given];
  return type === "replaceRules" ? given : list.filter((item) => !given.includes(item));
}

// An invalid rule keeps its text, so that the user can correct it.
function canonical(written: string): string {
  const reading = parseRule(written);
  return reading.ok ? printRule(reading.rule) : written;
}

const isRule = (written: string) => parseRule(written).ok;
