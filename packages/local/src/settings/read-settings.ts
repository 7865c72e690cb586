import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { errorMessage } from "@agentwire/protocol/support";
import { readRegularFile, unlessMissing } from "../files/index.ts";
import { checkSettings, type Fault } from "./check-settings.ts";
import { parseSettings } from "./parse-settings.ts";

/** The result of reading settings: the usable ones, or why there are none. */
export type SettingsReading =
  | { readonly ok: true; readonly settings: JsonObject; readonly faults: readonly Fault[] }
  | { readonly ok: false; readonly reason: string };

/** Reads the text of a settings file; faults in single settings are reported alongside the rest. */
export function readSettings(text: string): SettingsReading {
  const parsed = parseSettings(text);
  return parsed.ok ? { ok: true, ...checkSettings(parsed.settings) } : parsed;
}

/** Reads a settings file, whatever the path turns out to be; undefined if there is none. Never rejects. */
export async function readSettingsFile(path: string): Promise<SettingsReading | undefined> {
  try {
    const text = await unlessMissing(readRegularFile(path));
    return text === undefined ? undefined : readSettings(text);
  } catch (error) {
    return { ok: false, reason: `can't be read: ${errorMessage(error)}` };
  }
}

/** The folders that contain settings files. */
export interface SettingsFolders {
  /** The project's folder. */
  readonly cwd: string;
  /** The user's folder, such as `~/.claude`. */
  readonly configDir: string;
}

/** The settings files of the user, of the project, and of the user for the project, from the weakest to the strongest. */
export function settingsPaths({ cwd, configDir }: SettingsFolders) {
  return {
    user: join(configDir, "settings.json"),
    project: join(cwd, ".claude", "settings.json"),
    local: join(cwd, ".claude", "settings.local.json"),
  } as const;
}
