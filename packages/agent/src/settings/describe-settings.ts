import type { JsonObject } from "@agentwire/protocol";
import type { Settings, SettingsError } from "./settings.ts";
import type { Withheld } from "./untrusted.ts";

/** The answer to `get_settings`, without what the session derived from the settings. */
export function describeSettings(
  { effective, files, errors }: Settings,
  withheld: readonly Withheld[],
): JsonObject {
  const rows = [...errors.map(errorRow), ...withheld.map(withheldRow)];
  return {
    effective,
    sources: files.map(({ source, settings }) => ({ source, settings })),
    ...(rows.length > 0 ? { errors: rows } : {}),
  };
}

const withheldRow = ({ path, what }: Withheld): JsonObject =>
  errorRow({ path, key: what, message: "is ignored because the user does not trust this folder" });

/** A settings error in the form of control answers. */
export function errorRow({ path, key, message }: SettingsError): JsonObject {
  return { file: path, path: key ?? "", message };
}
