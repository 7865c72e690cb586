import { isJsonObject, type JsonObject } from "@agentwire/protocol";

/** Merges settings from weakest to strongest: objects merged, lists joined without doubles, stronger scalars win. */
export function mergeSettings(layers: readonly JsonObject[]): JsonObject {
  return layers.reduce(mergeObjects, {});
}

function mergeObjects(weak: JsonObject, strong: JsonObject): JsonObject {
  const merged = new Map(Object.entries(weak));
  for (const [key, value] of Object.entries(strong)) {
    merged.set(key, merged.has(key) ? mergeValues(merged.get(key), value) : value);
  }
  return Object.fromEntries(merged);
}

function mergeValues(weak: unknown, strong: unknown): unknown {
  if (Array.isArray(weak) && Array.isArray(strong)) return withoutDoubles([...weak, ...strong]);
  return isJsonObject(weak) && isJsonObject(strong) ? mergeObjects(weak, strong) : strong;
}

function withoutDoubles(list: readonly unknown[]): readonly unknown[] {
  const byText = new Map(list.map((item) => [JSON.stringify(item), item]));
  return [...byText.values()];
}
