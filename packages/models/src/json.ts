import { isJsonObject, type JsonObject } from "@agentwire/protocol";

/** The object at a key; empty if there is none. */
export function objectAt(value: unknown, key: string): JsonObject {
  const found = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(found) ? found : {};
}

/** The list at a key; empty if there is none. */
export function listAt(value: unknown, key: string): readonly unknown[] {
  const found = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(found) ? found : [];
}

/** The string at a key; undefined if there is none or it is empty. */
export function textAt(value: unknown, key: string): string | undefined {
  const found = isJsonObject(value) ? value[key] : undefined;
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** The count at a key; undefined if there is none. */
export function countAt(value: unknown, key: string): number | undefined {
  const found = isJsonObject(value) ? value[key] : undefined;
  return typeof found === "number" && found >= 0 ? found : undefined;
}
