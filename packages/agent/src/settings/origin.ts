import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { readRegularFile } from "@agentwire/local/files";
import { checkSettings } from "./check-settings.ts";
import { parseSettings } from "./parse-settings.ts";
import { unlessMissing } from "./rewrite.ts";
import type { SettingsError, SettingsFile, SettingsSource, WritableSource } from "./settings.ts";

/** A place that may hold settings: a file, or the text of a flag. */
export type Origin = { readonly source: SettingsSource; readonly root: string } & (
  | { readonly path: string; readonly required?: boolean }
  | { readonly flag: string; readonly text: string }
);

/** What an origin held. */
export interface Contents {
  /** Absent when there is no file, or none that can be read. */
  readonly file?: SettingsFile;
  readonly errors: readonly SettingsError[];
}

/** The folders that settings files lie in. */
export interface SettingsFolders {
  /** Where the session started. */
  readonly cwd: string;
  /** The user's own folder, such as `~/.claude`. */
  readonly configDir: string;
}

/** The file of a source that can be written. */
export function fileOrigin(
  source: WritableSource,
  { cwd, configDir }: SettingsFolders,
): Origin & { readonly path: string } {
  switch (source) {
    case "userSettings":
      return { source, root: configDir, path: join(configDir, "settings.json") };
    case "projectSettings":
      return { source, root: cwd, path: join(cwd, ".claude", "settings.json") };
    case "localSettings":
      return { source, root: cwd, path: join(cwd, ".claude", "settings.local.json") };
  }
}

/** What `--settings` names: JSON text, or a file that must be there. */
export function flagOrigin(value: string, cwd: string): Origin {
  if (value.trim().startsWith("{"))
    return { source: "flagSettings", root: cwd, flag: "--settings", text: value };
  const path = resolve(cwd, value);
  return { source: "flagSettings", root: dirname(path), path, required: true };
}

/** Reads an origin; whatever is wrong with it becomes an error beside the part that can be used. */
export async function readOrigin(origin: Origin): Promise<Contents> {
  if ("text" in origin) return readText(origin, origin.text);
  try {
    const text = await unlessMissing(
      // What was asked for by name may be a pipe.
      origin.required ? readFile(origin.path, "utf8") : readRegularFile(origin.path),
    );
    if (text !== undefined) return readText(origin, text);
    return { errors: origin.required ? [{ path: origin.path, message: "does not exist" }] : [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { errors: [{ path: origin.path, message: `can't be read: ${reason}` }] };
  }
}

function readText(origin: Origin, text: string): Contents {
  const { source, root } = origin;
  const path = "path" in origin ? origin.path : origin.flag;
  const reading = parseSettings(text);
  if (!reading.ok) return { errors: [{ path, message: reading.reason }] };
  const { settings, faults } = checkSettings(reading.settings);
  return {
    file: { source, root, settings, ...("path" in origin ? { path } : {}) },
    errors: faults.map((fault) => ({ path, ...fault })),
  };
}
