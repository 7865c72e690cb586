import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { RuleScope } from "@agentwire/api";
import { isJsonObject } from "@agentwire/protocol";
import type { RuleBehavior } from "@agentwire/protocol/permission";
import { SettingsError } from "../settings-error.ts";
import type { ScopedRule } from "./engine.ts";
import { RuleError, scopedRule } from "./rule-book.ts";

/** The administrator's rules for every daemon on the machine. */
export const MANAGED_RULES_PATH =
  process.platform === "darwin"
    ? "/Library/Application Support/agentwire/managed-rules.json"
    : "/etc/agentwire/managed-rules.json";

const BEHAVIORS: readonly RuleBehavior[] = ["deny", "ask", "allow"];
const MAX_BYTES = 1_048_576;

/** Reads the managed rules; none if the file is missing. Throws a `SettingsError` if it is invalid or others could have written it. */
export function readManagedRules(path: string): readonly ScopedRule[] {
  const text = readTrusted(path);
  return text === undefined ? [] : rulesIn(path, text);
}

function readTrusted(path: string): string | undefined {
  const file = open(path);
  if (file === undefined) return undefined;
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw new SettingsError(`${path} is not a file, so managed rules were not read`);
    mustBeAdministered(path, found);
    mustBeAdministered(dirname(path), statSync(dirname(path)));
    if (found.size > MAX_BYTES) throw new SettingsError(`${path} is larger than ${MAX_BYTES} bytes`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** Opens a file without blocking if it is a pipe. */
function open(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new SettingsError(`${path} can't be read: ${message}`, { cause });
  }
}

function mustBeAdministered(path: string, { uid, mode }: Stats): void {
  if (uid !== 0)
    throw new SettingsError(
      `${path} belongs to user ${uid}: managed rules apply only if root owns it (chown root)`,
    );
  if ((mode & 0o022) !== 0)
    throw new SettingsError(`${path} is writable by users other than root: fix it with chmod go-w`);
}

function rulesIn(path: string, text: string): readonly ScopedRule[] {
  const given = parsed(path, text);
  const unknown = Object.keys(given).find((key) => !(BEHAVIORS as readonly string[]).includes(key));
  if (unknown !== undefined)
    throw new SettingsError(`${path}: unknown key ${JSON.stringify(unknown)}; use ${BEHAVIORS.join(", ")}`);
  return BEHAVIORS.flatMap((behavior) => {
    const list = given[behavior] ?? [];
    if (!Array.isArray(list)) throw new SettingsError(`${path}: ${behavior}: expected a list of rules`);
    return list.map((rule: unknown) => managedRule(path, behavior, rule));
  });
}

function parsed(path: string, text: string) {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (cause) {
    throw new SettingsError(`${path} is not JSON: ${(cause as Error).message}`, { cause });
  }
  throw new SettingsError(`${path}: expected an object, as in {"deny": ["Read(.env)"]}`);
}

function managedRule(path: string, behavior: RuleBehavior, rule: unknown): ScopedRule {
  if (typeof rule !== "string") throw new SettingsError(`${path}: ${behavior}: expected rules as strings`);
  try {
    return scopedRule({ rule, behavior, scope: RuleScope.MANAGED, owner: "", createdBy: path });
  } catch (cause) {
    if (!(cause instanceof RuleError)) throw cause;
    throw new SettingsError(`${path}: ${behavior}: ${cause.message}`, { cause });
  }
}
