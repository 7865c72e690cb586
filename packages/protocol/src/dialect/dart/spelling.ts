import { isJsonObject, type JsonObject } from "../../json.ts";
import { inverted, objectAt, objectsAt, renamed, stringAt, withoutEmpty } from "../spelling.ts";

const ANSWER_KEYS: ReadonlyMap<string, string> = new Map([
  ["updated_input", "updatedInput"],
  ["updated_permissions", "updatedPermissions"],
  ["tool_use_id", "toolUseID"],
]);
const DART_ANSWER_KEYS = inverted(ANSWER_KEYS);

const SCOPES: ReadonlyMap<string, string> = new Map([
  ["session", "session"],
  ["local", "localSettings"],
  ["project", "projectSettings"],
  ["user", "userSettings"],
]);
const DART_SCOPES = inverted(SCOPES);

/** A permission answer in canonical spelling; accepts both Dart's snake_case and the official camelCase. */
export function canonicalAnswer(answer: JsonObject): JsonObject {
  const { updatedPermissions, ...rest } = renamed(answer, ANSWER_KEYS);
  if (!Array.isArray(updatedPermissions)) return rest;
  return { ...rest, updatedPermissions: updatedPermissions.map(canonicalUpdate) };
}

/** A permission answer in the Dart dialect. */
export function dartAnswer(answer: JsonObject): JsonObject {
  const { updated_permissions, ...rest } = renamed(answer, DART_ANSWER_KEYS);
  if (!Array.isArray(updated_permissions)) return rest;
  return { ...rest, updated_permissions: updated_permissions.flatMap(dartUpdates) };
}

/** Permission suggestions in the Dart dialect, one per rule; what it can't express is passed through. */
export const dartUpdates = (update: unknown): readonly unknown[] => {
  if (!isJsonObject(update) || update.type !== "addRules") return [update];
  const scope = DART_SCOPES.get(stringAt(update, "destination") ?? "") ?? update.destination;
  return objectsAt(update, "rules").map((rule) => ({
    type: dartToolName(stringAt(rule, "toolName") ?? ""),
    action: update.behavior,
    pattern: stringAt(rule, "ruleContent") ?? "*",
    scope,
  }));
};

/**
 * A permission update in canonical spelling; one without a readable pattern is left unchanged, so that it is
 * not applied.
 */
export function canonicalUpdate(update: unknown): unknown {
  if (!isJsonObject(update)) return update;
  const { type, action, pattern, scope = "session" } = update;
  if (typeof type !== "string" || typeof action !== "string" || typeof pattern !== "string") return update;
  // A rule without content covers the whole tool, so only a pattern that says so may omit it.
  const rule = { toolName: canonicalToolName(type), ...(pattern !== "*" && { ruleContent: pattern }) };
  const destination = typeof scope === "string" ? (SCOPES.get(scope) ?? scope) : scope;
  return { type: "addRules", rules: [rule], behavior: action, destination };
}

/** The answer to initialize in the Dart dialect. */
export function dartInitialize(response: JsonObject): JsonObject {
  const { account, commands, models, ...rest } = response;
  const { subscriptionType, ...person } = isJsonObject(account) ? account : {};
  return {
    commands: objectsAt({ commands }, "commands").map((command) => ({
      ...command,
      name: `/${command.name}`,
    })),
    ...rest,
    models: objectsAt({ models }, "models").map(({ displayName, ...model }) => ({
      ...model,
      display: displayName,
    })),
    // A user with an API key has no known email address; readers expect a string anyway.
    account: { account_type: subscriptionType ?? "none", email: "", ...person },
  };
}

/** The answer to initialize in canonical spelling. */
export function canonicalInitialize(response: JsonObject): JsonObject {
  // Other answers also list commands, in the official spelling.
  if (!("commands" in response && "models" in response)) return response;
  const { account_type, ...person } = withoutEmpty(objectAt(response, "account"), "email");
  return {
    ...response,
    commands: objectsAt(response, "commands").map((command) => ({
      ...command,
      name: (stringAt(command, "name") ?? "").replace(/^\//, ""),
    })),
    models: objectsAt(response, "models").map(({ display, ...model }) => ({
      ...model,
      displayName: display,
    })),
    account: {
      ...(account_type !== undefined && account_type !== "none" && { subscriptionType: account_type }),
      ...person,
    },
  };
}

// The Dart dialect writes `bash` for Bash; only the first letter changes, so that every name can be converted back.
const dartToolName = (name: string) => name.slice(0, 1).toLowerCase() + name.slice(1);
const canonicalToolName = (name: string) =>
  name.startsWith("mcp__") ? name : name.slice(0, 1).toUpperCase() + name.slice(1);
