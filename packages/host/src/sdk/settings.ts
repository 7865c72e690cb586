import type { SettingsOfHooks } from "./settings/hooks.ts";
import type { SettingsOfLooks } from "./settings/looks.ts";
import type { SettingsOfModels } from "./settings/models.ts";
import type { SettingsOfPermissions } from "./settings/permissions.ts";
import type { SettingsOfPlugins } from "./settings/plugins.ts";
import type { SettingsOfPolicy } from "./settings/policy.ts";
import type { SettingsOfSessions } from "./settings/sessions.ts";

/** Which settings file is meant. */
export type SettingSource = "user" | "project" | "local";

/** Which settings file a change is written to. */
export type ConfigScope = "local" | "user" | "project";

/** The content of a settings file; unknown keys are preserved. */
export interface Settings
  extends SettingsOfHooks,
    SettingsOfLooks,
    SettingsOfModels,
    SettingsOfPermissions,
    SettingsOfPlugins,
    SettingsOfPolicy,
    SettingsOfSessions {
  $schema?: string;
  [key: string]: unknown;
}
