import { checkSettings, readPolicy, restrictionsIn, strongestPolicy } from "@agentwire/local/settings";
import type { JsonObject } from "@agentwire/protocol";
import type {
  PolicySettingsOrigin,
  ResolvedSettings,
  ResolveSettingsOptions,
} from "../sdk/resolved-settings.ts";

type NotLoaded = NonNullable<ResolvedSettings["machinePolicy"]>["didNotLoad"];

/** What an administrator, an organization or the host prescribes. */
export interface Managed {
  readonly settings: JsonObject;
  readonly origin: PolicySettingsOrigin;
}

/** The strongest prescription there is, alone: an organization's, the administrator's files, the host's. */
export async function readManaged(
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

/** Device management keeps its policies where only programs of the platform can read them. */
function platformPolicies(): ("profile" | "registry")[] {
  if (process.platform === "darwin") return ["profile"];
  return process.platform === "win32" ? ["registry"] : [];
}
