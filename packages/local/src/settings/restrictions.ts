import { isJsonObject, type JsonObject } from "@agentwire/protocol";

type Restriction = readonly [path: string, ...values: readonly (boolean | string)[]];

/** The values that a host may impose on its sessions: each of them only restricts. */
const RESTRICTIONS: readonly Restriction[] = [
  ...[
    "allowManagedPermissionRulesOnly",
    "allowManagedHooksOnly",
    "allowManagedMcpServersOnly",
    "enforceAvailableModels",
    "disableClaudeAiConnectors",
    "disableCommandPluginSources",
    "disableSideloadFlags",
    "disableSkillShellExecution",
    "disableWindowsBashCommandSplit",
    "disableRemoteControl",
    "disableAgentView",
    "disableWorkflows",
    "disableArtifact",
    "disableBundledSkills",
    "fastModePerSessionOptIn",
    "isolatePeerMachines",
    "permissions.blockReadsOutsideWorkingDirectories",
    "permissions.blockWritesOutsideWorkingDirectories",
    "permissions.denyInsteadOfPrompting",
    "sandbox.enabled",
    "sandbox.failIfUnavailable",
    "sandbox.network.allowManagedDomainsOnly",
    "sandbox.network.strictAllowlist",
    "sandbox.filesystem.allowManagedReadPathsOnly",
  ].map((path): Restriction => [path, true]),
  ...[
    "enableArtifact",
    "enableWorkflows",
    "syncClaudeAiSkills",
    "syncClaudeAiPlugins",
    "sandbox.autoAllowBashIfSandboxed",
    "sandbox.allowUnsandboxedCommands",
    "sandbox.enableWeakerNestedSandbox",
    "sandbox.enableWeakerNetworkIsolation",
    "sandbox.allowAppleEvents",
    "sandbox.allowNestedUserNamespaces",
    "sandbox.network.allowAllUnixSockets",
    "sandbox.network.allowLocalBinding",
    "sandbox.filesystem.disabled",
    "sandbox.credentials.allowPlaintextInject",
  ].map((path): Restriction => [path, false]),
  ["disableAutoMode", "disable"],
  ["permissions.disableBypassPermissionsMode", "disable"],
  ["permissions.disableAutoMode", "disable"],
  ["availableModelsMatch", "exact"],
  ["sandbox.credentials.sigv4.streaming", "deny"],
  ["sandbox.credentials.sigv4.presigned", "deny"],
  ["sandbox.credentials.sigv4.sigv4a", "deny"],
];

const UNREADABLE = Symbol("unreadable");

/** If `sandbox` as a whole is unreadable, it is unknown whether one is wanted. */
const NOT_GUESSED: ReadonlySet<string> = new Set(["sandbox.enabled", "sandbox.failIfUnavailable"]);

/** Lists that narrow what a session may use. */
const LISTS = [
  "permissions.allow",
  "permissions.deny",
  "permissions.ask",
  "permissions.additionalDirectories",
  "availableModels",
  "deniedModels",
  "allowedMcpServers",
  "deniedMcpServers",
  "allowedProviders",
  "strictKnownMarketplaces",
  "blockedMarketplaces",
  "sandbox.network.allowedDomains",
  "sandbox.network.deniedDomains",
  "sandbox.filesystem.denyRead",
  "sandbox.filesystem.denyWrite",
  "sandbox.filesystem.allowRead",
  "sandbox.credentials.files",
  "sandbox.credentials.envVars",
];

/** The restrictive part of a host's settings: anything that would loosen is dropped, and unreadable values count as restrictive. */
export function restrictionsIn(settings: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [path, ...values] of RESTRICTIONS) {
    const value = valueAt(settings, path);
    if (value === undefined || (value === UNREADABLE && NOT_GUESSED.has(path))) continue;
    if (values.some((each) => each === value)) put(kept, path, value);
    else if (typeof value !== typeof values[0]) put(kept, path, values[0]);
  }
  for (const path of LISTS) {
    const value = valueAt(settings, path);
    if (Array.isArray(value)) put(kept, path, value);
  }
  // Turning off every hook would turn off the administrator's too.
  if (settings.disableAllHooks === true) put(kept, "allowManagedHooksOnly", true);
  return kept;
}

/** The value at a path; `UNREADABLE` if part of the path is not an object and could have meant anything. */
function valueAt(settings: JsonObject, path: string): unknown {
  let value: unknown = settings;
  for (const key of path.split(".")) {
    if (value === undefined) return undefined;
    if (!isJsonObject(value)) return UNREADABLE;
    value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

function put(settings: JsonObject, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop() ?? path;
  let at: Record<string, unknown> = settings;
  for (const key of keys) {
    const inner = isJsonObject(at[key]) ? { ...at[key] } : {};
    at[key] = inner;
    at = inner;
  }
  at[last] = value;
}
