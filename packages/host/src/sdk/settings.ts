import type { SettingsOfHooks } from "./settings/hooks.ts";
import type { SettingsOfLooks } from "./settings/looks.ts";
import type { SettingsOfModels } from "./settings/models.ts";
import type { SettingsOfPermissions } from "./settings/permissions.ts";
import type { SettingsOfPlugins } from "./settings/plugins.ts";
import type { SettingsOfPolicy } from "./settings/policy.ts";
import type { SettingsOfSessions } from "./settings/sessions.ts";

/** Whose settings file is meant. */
export type SettingSource = "user" | "project" | "local";

/** Whose settings file is meant, where a change is written. */
export type ConfigScope = "local" | "user" | "project";

/** The content of a settings file; unknown keys are kept. */
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
