import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { HostError } from "../errors.ts";

type Mutable = Record<string, unknown>;

/** What either side forbids stays forbidden: these lists are joined, while elsewhere the option's value wins. */
const JOINED: ReadonlySet<string> = new Set([
  "filesystem.denyRead",
  "filesystem.denyWrite",
  "network.deniedDomains",
  "credentials.files",
  "credentials.envVars",
]);
/** Objects that only make sense as a whole. */
const REPLACED: ReadonlySet<string> = new Set(["ripgrep", "network.tlsTerminate"]);
const NOT_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const PROXY_PORTS = ["httpProxyPort", "socksProxyPort"];

/** The text for `--settings`, with the `sandbox` option merged into it; settings in a file can't be merged. */
export function withSandbox(settings: string | undefined, sandbox: object | undefined): string | undefined {
  if (!sandbox) return settings;
  const option = { ...sandbox } as JsonObject;
  const base = settings === undefined || settings === "" ? {} : inlineSettings(settings);
  const merged = merge(base.sandbox, option, "");
  removeDisablingSwitches(merged, option);
  // If a requested sandbox is not available, the agent must fail instead of running without one.
  if (option.enabled === true && merged.failIfUnavailable === undefined) merged.failIfUnavailable = true;
  return JSON.stringify({ ...base, sandbox: merged });
}

function inlineSettings(settings: string): JsonObject {
  const text = settings.trim();
  if (!text.startsWith("{") || !text.endsWith("}")) {
    const reason = "sandbox can't be combined with a settings file: put it into the file";
    throw new HostError("invalid_option", reason);
  }
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch (cause) {
    throw new HostError("invalid_option", "settings is not JSON", { cause });
  }
}

function merge(base: unknown, over: JsonObject, path: string): Mutable {
  const merged: Mutable = isJsonObject(base) ? { ...base } : {};
  for (const [key, value] of Object.entries(over)) {
    if (NOT_KEYS.has(key) || value === undefined) continue;
    const at = path === "" ? key : `${path}.${key}`;
    const old = Object.hasOwn(merged, key) ? merged[key] : undefined;
    if (JOINED.has(at) && Array.isArray(old) && Array.isArray(value))
      merged[key] = [...new Set([...old, ...value])];
    else if (isJsonObject(old) && isJsonObject(value) && !REPLACED.has(at))
      merged[key] = merge(old, value, at);
    else merged[key] = value;
  }
  return merged;
}

/** Removes switches from the settings that would turn off what the option has just asked for. */
function removeDisablingSwitches(merged: Mutable, option: JsonObject): void {
  const filesystem = isJsonObject(option.filesystem) ? option.filesystem : undefined;
  if ((filesystem || deniesFiles(option)) && filesystem?.disabled === undefined) {
    if (isJsonObject(merged.filesystem) && merged.filesystem.disabled === true)
      merged.filesystem = without(merged.filesystem, ["disabled"]);
  }
  const network = isJsonObject(option.network) ? option.network : undefined;
  if (network && limitsDomains(network) && isJsonObject(merged.network)) {
    const foreign = PROXY_PORTS.filter((port) => network[port] === undefined);
    merged.network = without(merged.network, foreign);
  }
}

function deniesFiles({ credentials }: JsonObject): boolean {
  const files = isJsonObject(credentials) ? credentials.files : undefined;
  return Array.isArray(files) && files.some((file) => isJsonObject(file) && file.mode === "deny");
}

function limitsDomains({ allowedDomains, deniedDomains, strictAllowlist }: JsonObject): boolean {
  const denies = Array.isArray(deniedDomains) && deniedDomains.length > 0;
  return allowedDomains !== undefined || denies || strictAllowlist === true;
}

function without(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}
