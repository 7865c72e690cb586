import { isJsonObject } from "@agentwire/protocol";
import { PERMISSION_MODES, type PermissionMode, toPermissionMode } from "@agentwire/protocol/permission";
import type { Settings } from "../settings/settings.ts";

/** What decides whether a session may bypass all permissions. */
export interface BypassTerms {
  /** Whether the command line chose it or allowed choosing it later. */
  readonly launched: boolean;
  readonly settings: Settings;
}

/** Why a mode is refused, with an error code of `set_permission_mode`. */
export interface ModeRejection {
  readonly code: string;
  readonly message: string;
}

// A project must not turn off permission questions by itself.
const UNTRUSTED: ReadonlySet<string> = new Set(["projectSettings", "localSettings"]);

/** The mode with this name, or why it is refused. */
export function chooseMode(name: string, terms: BypassTerms): PermissionMode | ModeRejection {
  const mode = toPermissionMode(name);
  if (mode === undefined) {
    const names = [...PERMISSION_MODES].sort().join(", ");
    return {
      code: "invalid_mode",
      message: `Unknown permission mode; the modes are ${names}`,
    };
  }
  return (mode === "bypassPermissions" && refuseBypass(terms)) || mode;
}

/** The default mode of the strongest settings file that names a mode it is allowed to choose. */
export function settingsMode({ files }: Settings): PermissionMode | undefined {
  for (const { source, settings } of [...files].reverse()) {
    const name = isJsonObject(settings.permissions) ? settings.permissions.defaultMode : undefined;
    const mode = typeof name === "string" ? toPermissionMode(name) : undefined;
    if (mode && !(mode === "bypassPermissions" && UNTRUSTED.has(source))) return mode;
  }
  return undefined;
}

/** Whether settings forbid bypassing permissions. */
export function isBypassForbidden({ effective: { permissions } }: Settings): boolean {
  return isJsonObject(permissions) && permissions.disableBypassPermissionsMode === "disable";
}

function refuseBypass({ launched, settings }: BypassTerms): ModeRejection | undefined {
  if (isBypassForbidden(settings))
    return { code: "bypass_disabled", message: "The settings forbid the mode bypassPermissions" };
  if (!launched) {
    return {
      code: "bypass_not_launched",
      message: "The session was not launched with --allow-dangerously-skip-permissions",
    };
  }
  return undefined;
}
