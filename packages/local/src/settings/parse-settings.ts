import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { MAX_DEPTH, nestsDeeperThan, parseJson } from "@agentwire/protocol/support";

/** Settings whose keys have not been checked yet, or why there are none. */
export type SettingsParsing =
  | { readonly ok: true; readonly settings: JsonObject }
  | { readonly ok: false; readonly reason: string };

/** Parses the text of a settings file; an empty one has no settings. */
export function parseSettings(text: string): SettingsParsing {
  const bare = text.replace(/^\uFEFF/, "");
  if (bare.trim() === "") return { ok: true, settings: {} };
  const value = parseJson(bare);
  if (value === undefined) return { ok: false, reason: "is not valid JSON" };
  if (!isJsonObject(value)) return { ok: false, reason: "does not hold a JSON object" };
  if (nestsDeeperThan(value, MAX_DEPTH)) return { ok: false, reason: "nests too deeply" };
  // Only after the depth check: a reviver recurses, and overflows the main thread's stack where plain `JSON.parse` does not.
  return { ok: true, settings: JSON.parse(bare, withoutTraps) as JsonObject };
}

/** Drops the key that would change an object's prototype. */
const withoutTraps = (key: string, value: unknown) => (key === "__proto__" ? undefined : value);
