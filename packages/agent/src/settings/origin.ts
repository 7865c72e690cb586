import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isMissing, unlessMissing } from "@agentwire/local/files";
import {
  readPolicy,
  readSettings,
  readSettingsFile,
  type SettingsFolders,
  type SettingsReading,
  settingsPaths,
} from "@agentwire/local/settings";
import { errorMessage } from "@agentwire/protocol/support";
import type { SettingsError, SettingsFile, SettingsSource, WritableSource } from "./settings.ts";

/** A source of settings: a file, the text of a flag, or the administrator's folder. */
export type Origin = { readonly source: SettingsSource; readonly root: string } & (
  | { readonly path: string; readonly required?: boolean }
  | { readonly flag: string; readonly text: string }
  | { readonly folder: string }
);

/** The contents of an origin. */
export interface Contents {
  /** Absent if there is no readable file. */
  readonly file?: SettingsFile;
  readonly errors: readonly SettingsError[];
  /** The paths to watch for changes. */
  readonly paths: readonly string[];
}

/** The file of a writable source. */
export function fileOrigin(
  source: WritableSource,
  folders: SettingsFolders,
): Origin & { readonly path: string } {
  const { user, project, local } = settingsPaths(folders);
  switch (source) {
    case "userSettings":
      return { source, root: folders.configDir, path: user };
    case "projectSettings":
      return { source, root: folders.cwd, path: project };
    case "localSettings":
      return { source, root: folders.cwd, path: local };
  }
}

/** What `--settings` names: JSON text, or a file that must exist. */
export function flagOrigin(value: string, cwd: string): Origin {
  if (value.trim().startsWith("{"))
    return { source: "flagSettings", root: cwd, flag: "--settings", text: value };
  const path = resolve(cwd, value);
  return { source: "flagSettings", root: dirname(path), path, required: true };
}

/** Reads an origin; faults are reported as errors along with the usable part. */
export async function readOrigin(origin: Origin): Promise<Contents> {
  if ("folder" in origin) return readFolder(origin);
  if ("text" in origin) return contentsOf(origin, origin.flag, readSettings(origin.text));
  const { path, required: isRequired } = origin;
  if (!isRequired && isMissing(path)) return contentsOf(origin, path, undefined);
  const reading = await (isRequired ? readNamed(path) : readSettingsFile(path));
  return contentsOf(origin, path, reading);
}

/** Reads a file named by a flag: it may be a pipe, and must exist. */
async function readNamed(path: string): Promise<SettingsReading> {
  try {
    const text = await unlessMissing(readFile(path, "utf8"));
    return text === undefined ? { ok: false, reason: "does not exist" } : readSettings(text);
  } catch (error) {
    return { ok: false, reason: `can't be read: ${errorMessage(error)}` };
  }
}

function contentsOf(origin: Origin, path: string, reading: SettingsReading | undefined): Contents {
  // A file named by a flag is trusted like the command line.
  const paths = "path" in origin && origin.source !== "flagSettings" ? [path] : [];
  if (!reading) return { errors: [], paths };
  if (!reading.ok) return { errors: [{ path, message: reading.reason }], paths };
  const { source, root } = origin;
  return {
    file: { source, root, settings: reading.settings, ...("path" in origin ? { path } : {}) },
    errors: reading.faults.map((fault) => errorOf(path, fault)),
    paths,
  };
}

async function readFolder({ source, root, folder }: Origin & { readonly folder: string }): Promise<Contents> {
  const { settings, faults, paths } = await readPolicy(folder);
  const [path] = paths;
  return {
    ...(settings && { file: { source, root, settings, ...(path !== undefined && { path }) } }),
    errors: faults.map((fault) => errorOf(fault.path, fault)),
    paths,
  };
}

const errorOf = (path: string, { key, message }: Omit<SettingsError, "path">): SettingsError => ({
  path,
  ...(key !== undefined && { key }),
  message,
});
