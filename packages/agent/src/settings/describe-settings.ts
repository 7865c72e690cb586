import type { JsonObject } from "@agentwire/protocol";
import type { Settings, SettingsError } from "./settings.ts";

/** The answer to `get_settings`, without what the session made of the settings. */
export function describeSettings({ effective, files, errors }: Settings): JsonObject {
  return {
    effective,
    sources: files.map(({ source, settings }) => ({ source, settings })),
    ...(errors.length > 0 ? { errors: errors.map(errorRow) } : {}),
  };
}

/** A settings error as control answers carry it. */
export function errorRow({ path, key, message }: SettingsError): JsonObject {
  return { file: path, path: key ?? "", message };
}
