import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { errorMessage } from "@agentwire/protocol/support";
import { readRegularFile, unlessMissing } from "../files/index.ts";
import { checkSettings, type Fault } from "./check-settings.ts";
import { parseSettings } from "./parse-settings.ts";

/** What became of a text with settings: what can be used of it, or why nothing can. */
export type SettingsReading =
  | { readonly ok: true; readonly settings: JsonObject; readonly faults: readonly Fault[] }
  | { readonly ok: false; readonly reason: string };

/** Reads a text with settings; what is wrong with one of them is told beside the rest. */
export function readSettings(text: string): SettingsReading {
  const parsed = parseSettings(text);
  return parsed.ok ? { ok: true, ...checkSettings(parsed.settings) } : parsed;
}

/** Reads a settings file that may be anything; undefined where there is none. Never rejects. */
export async function readSettingsFile(path: string): Promise<SettingsReading | undefined> {
  try {
    const text = await unlessMissing(readRegularFile(path));
    return text === undefined ? undefined : readSettings(text);
  } catch (error) {
    return { ok: false, reason: `can't be read: ${errorMessage(error)}` };
  }
}

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
