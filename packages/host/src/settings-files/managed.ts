import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import type {
  PolicySettingsOrigin,
  ResolvedSettings,
  ResolveSettingsOptions,
} from "../sdk/resolved-settings.ts";
import { mergeSettings } from "./merge.ts";
import { checked, readSettingsFile } from "./read-file.ts";
import { restrictionsIn } from "./restrictive.ts";

type NotLoaded = NonNullable<ResolvedSettings["machinePolicy"]>["didNotLoad"];

/** What an administrator, an organization or the host prescribes. */
export interface Managed {
  readonly settings: JsonObject;
  readonly origin: PolicySettingsOrigin;
}

/** Where the administrator's file is, by platform. */
const FOLDERS: ReadonlyMap<string, string> = new Map([
  ["darwin", "/Library/Application Support/ClaudeCode"],
  ["win32", "C:\\Program Files\\ClaudeCode"],
]);
const LINUX_FOLDER = "/etc/claude-code";

/** The strongest prescription there is, alone: an organization's, the administrator's file, the host's. */
export async function readManaged(
  options: ResolveSettingsOptions,
): Promise<{ readonly managed: Managed | undefined; readonly notLoaded: NotLoaded }> {
  const file = await readManagedFolder(FOLDERS.get(process.platform) ?? LINUX_FOLDER);
  const candidates: Managed[] = [
    { origin: "remote", settings: checked({ ...options.serverManagedSettings }) },
    { origin: "file", settings: file.settings },
    { origin: "parent", settings: checked(restrictionsIn({ ...options.managedSettings })) },
  ];
  const missing = [...platformPolicies(), ...(file.unusable ? (["file"] as const) : [])];
  return {
    managed: candidates.find(({ settings }) => Object.keys(settings).length > 0),
    notLoaded: missing.length > 0 && missing,
  };
}

/** Device management keeps its policies where only programs of the platform can read them. */
function platformPolicies(): ("profile" | "registry")[] {
  if (process.platform === "darwin") return ["profile"];
  return process.platform === "win32" ? ["registry"] : [];
}

async function readManagedFolder(
  folder: string,
): Promise<{ readonly settings: JsonObject; readonly unusable: boolean }> {
  const extra = join(folder, "managed-settings.d");
  const names = (await readdir(extra).catch(() => [])).filter((name) => /^[^.].*\.json$/.test(name)).sort();
  const paths = [join(folder, "managed-settings.json"), ...names.map((name) => join(extra, name))];
  const readings = await Promise.all(paths.map(readSettingsFile));
  return {
    settings: mergeSettings(readings.flatMap((each) => (each.state === "read" ? [each.settings] : []))),
    unusable: readings.some(({ state }) => state === "unusable"),
  };
}
