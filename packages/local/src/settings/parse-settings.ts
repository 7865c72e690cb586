import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { MAX_DEPTH, nestsDeeperThan } from "@agentwire/protocol/support";

/** Settings before anyone has looked at their keys, or why there are none. */
export type SettingsParsing =
  | { readonly ok: true; readonly settings: JsonObject }
  | { readonly ok: false; readonly reason: string };

/** Reads the text of a settings file; an empty one has no settings. */
export function parseSettings(text: string): SettingsParsing {
  const bare = text.replace(/^\uFEFF/, "");
  if (bare.trim() === "") return { ok: true, settings: {} };
  const value = parseJson(bare);
  if (value === undefined) return { ok: false, reason: "is not valid JSON" };
  if (!isJsonObject(value)) return { ok: false, reason: "does not hold a JSON object" };
  if (nestsDeeperThan(value, MAX_DEPTH)) return { ok: false, reason: "nests too deeply" };
  // Only now: a reviver recurses, and overflows the stack of the main thread where `JSON.parse` alone does not.
  return { ok: true, settings: JSON.parse(bare, withoutTraps) as JsonObject };
}

/** A key that would change the prototype of an object is not a setting. */
const withoutTraps = (key: string, value: unknown) => (key === "__proto__" ? undefined : value);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
