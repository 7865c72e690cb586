import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { parseRule } from "@agentwire/protocol/permission";

const MAX_BYTES = 16 * 1024 * 1024;

/** What became of a settings file: its content, nothing there, or something that can't be used. */
export type FileReading =
  | { readonly state: "read"; readonly settings: JsonObject }
  | { readonly state: "absent" | "unusable" };

/** Reads a settings file; one that is not a JSON object is unusable as a whole. */
export async function readSettingsFile(path: string): Promise<FileReading> {
  let file: FileHandle | undefined;
  try {
    // Opening a pipe would wait for its other end.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile() || stat.size > MAX_BYTES) return { state: "unusable" };
    const text = (await file.readFile("utf8")).replace(/^\uFEFF/, "");
    if (text.trim() === "") return { state: "read", settings: {} };
    const settings: unknown = JSON.parse(text, withoutTraps);
    return isJsonObject(settings) ? { state: "read", settings: checked(settings) } : { state: "unusable" };
  } catch (error) {
    return { state: isAbsent(error) ? "absent" : "unusable" };
  } finally {
    await file?.close();
  }
}

/** Settings as an agent takes them: environment values are texts, and rules that can't be read are left out. */
export function checked(settings: JsonObject): JsonObject {
  const { env, permissions } = settings;
  return {
    ...settings,
    ...(isJsonObject(env) && {
      env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])),
    }),
    ...(isJsonObject(permissions) && { permissions: withReadableRules(permissions) }),
  };
}

function withReadableRules(permissions: JsonObject): JsonObject {
  const lists = ["allow", "deny", "ask"].flatMap((behavior) => {
    const rules = permissions[behavior];
    return Array.isArray(rules) ? [[behavior, rules.filter(isRule)] as const] : [];
  });
  return { ...permissions, ...Object.fromEntries(lists) };
}

/** A key that would change what an object inherits is no setting. */
const withoutTraps = (key: string, value: unknown) => (key === "__proto__" ? undefined : value);

const isRule = (rule: unknown) => typeof rule === "string" && parseRule(rule).ok;

const isAbsent = (error: unknown) =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
