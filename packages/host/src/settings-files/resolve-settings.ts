import { resolve } from "node:path";
import { configFolder } from "@agentwire/local/files";
import {
  checkSettings,
  mergeSettings,
  readPolicy,
  readSettingsFile,
  restrictionsIn,
  settingsPaths,
  strongestPolicy,
} from "@agentwire/local/settings";
import type { JsonObject } from "@agentwire/protocol";
import type {
  PolicySettingsOrigin,
  ProvenanceEntry,
  ResolvedSettings,
  ResolveSettingsOptions,
} from "../sdk/resolved-settings.ts";
import type { SettingSource, Settings } from "../sdk/settings.ts";

/** From the weakest to the strongest. */
const SOURCES: readonly SettingSource[] = ["user", "project", "local"];

type Layer = ProvenanceEntry & { readonly settings: JsonObject };

/** The settings that a session in a folder would have, and where each comes from, without starting an agent. */
export async function resolveSettings(options: ResolveSettingsOptions = {}): Promise<ResolvedSettings> {
  const cwd = resolve(options.cwd ?? ".");
  const wanted = options.settingSources ?? SOURCES;
  const files = SOURCES.filter((source) => wanted.includes(source)).map((source) => readLayer(source, cwd));
  const [layers, { managed, notLoaded }] = await Promise.all([Promise.all(files), readManaged(options)]);
  const policy: Layer[] = managed
    ? [{ source: "managed", settings: managed.settings, policyOrigin: managed.origin }]
    : [];
  const sources = [...layers.flat(), ...policy];
  const effective = mergeSettings(sources.map(({ settings }) => settings));
  return {
    effective: effective as Settings,
    provenance: Object.fromEntries(Object.keys(effective).map((key) => [key, originOf(key, sources)])),
    sources: sources as ResolvedSettings["sources"],
    machinePolicy: { didNotLoad: notLoaded },
  };
}

async function readLayer(source: SettingSource, cwd: string): Promise<Layer[]> {
  const path = settingsPaths({ cwd, configDir: configFolder() })[source];
  const reading = await readSettingsFile(path);
  // An ill-typed value may be the one that guards the others, so the file does not count; an unreadable rule is merely left out.
  if (!reading?.ok || reading.faults.some(({ isRule }) => !isRule)) return [];
  return Object.keys(reading.settings).length > 0 ? [{ source, settings: reading.settings, path }] : [];
}

/** The strongest source that has a setting. */
function originOf(key: string, sources: readonly Layer[]): ProvenanceEntry | undefined {
  const layer = sources.findLast(({ settings }) => settings[key] !== undefined);
  if (!layer) return undefined;
  const { settings, ...entry } = layer;
  return entry;
}

type NotLoaded = NonNullable<ResolvedSettings["machinePolicy"]>["didNotLoad"];

/** Settings imposed by an administrator, an organization or the host. */
interface Managed {
  readonly settings: JsonObject;
  readonly origin: PolicySettingsOrigin;
}

/** The strongest of the imposed settings, alone: the organization's, the administrator's files, the host's. */
async function readManaged(
  options: ResolveSettingsOptions,
): Promise<{ readonly managed: Managed | undefined; readonly notLoaded: NotLoaded }> {
  const policy = await readPolicy();
  const candidates: Managed[] = [
    { origin: "remote", settings: checkSettings({ ...options.serverManagedSettings }).settings },
    { origin: "file", settings: policy.settings ?? {} },
    { origin: "parent", settings: checkSettings(restrictionsIn({ ...options.managedSettings })).settings },
  ];
  const isUnusable = policy.faults.some(({ key }) => key === undefined);
  const missing = [...platformPolicies(), ...(isUnusable ? (["file"] as const) : [])];
  return { managed: strongestPolicy(candidates), notLoaded: missing.length > 0 && missing };
}

/** Device management stores its policies where only programs of the platform can read them. */
function platformPolicies(): ("profile" | "registry")[] {
  if (process.platform === "darwin") return ["profile"];
  return process.platform === "win32" ? ["registry"] : [];
}
