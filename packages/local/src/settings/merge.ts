import { isJsonObject, type JsonObject } from "@agentwire/protocol";

/** Lists that a stronger layer replaces instead of extending, because their order matters. */
const REPLACED: ReadonlySet<string> = new Set(["fallbackModel"]);

/** Merges settings from the weakest to the strongest: objects are merged, lists joined without duplicates, and stronger values win. */
export function mergeSettings(layers: readonly JsonObject[]): JsonObject {
  return layers.reduce(mergeObjects, {});
}

function mergeObjects(weak: JsonObject, strong: JsonObject): JsonObject {
  const merged = new Map(Object.entries(weak));
  for (const [key, value] of Object.entries(strong)) {
    merged.set(key, merged.has(key) ? mergeValues(key, merged.get(key), value) : value);
  }
  return Object.fromEntries(merged);
}

function mergeValues(key: string, weak: unknown, strong: unknown): unknown {
  if (Array.isArray(weak) && Array.isArray(strong) && !REPLACED.has(key)) {
    return [...new Map([...weak, ...strong].map((item) => [JSON.stringify(item), item])).values()];
  }
  return isJsonObject(weak) && isJsonObject(strong) ? mergeObjects(weak, strong) : strong;
}
