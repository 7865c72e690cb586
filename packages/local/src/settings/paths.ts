import { join } from "node:path";

/** The folders that settings files lie in. */
export interface SettingsFolders {
  /** Of the project. */
  readonly cwd: string;
  /** The user's own, such as `~/.claude`. */
  readonly configDir: string;
}

/** The files in which a user, a project, and the user for a project keep settings, from the weakest to the strongest. */
export function settingsPaths({ cwd, configDir }: SettingsFolders) {
  return {
    user: join(configDir, "settings.json"),
    project: join(cwd, ".claude", "settings.json"),
    local: join(cwd, ".claude", "settings.local.json"),
  } as const;
}
