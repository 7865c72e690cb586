import { isJsonObject, type JsonObject } from "../json.ts";
import type { Sink } from "../lines/decode.ts";

/** Removes fields that are empty: an empty string, null or undefined. */
export function withoutEmpty(value: JsonObject, ...names: readonly string[]): JsonObject {
  const kept = Object.entries(value).filter(
    ([name, field]) => !names.includes(name) || (field !== "" && field !== null && field !== undefined),
  );
  return Object.fromEntries(kept);
}

/** Renames fields; those that are not in the table keep their names. */
export function renamed(value: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [names.get(name) ?? name, field]));
}

/** The inverse of a table. */
export function inverted(names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...names].map(([from, to]) => [to, from]));
}

/** The field as an object; an empty one if it is not an object. */
export function objectAt(value: JsonObject, name: string): JsonObject {
  const field = value[name];
  return isJsonObject(field) ? field : {};
}

/** The field as a string; undefined if it is not one. */
export function stringAt(value: JsonObject, name: string): string | undefined {
  const field = value[name];
  return typeof field === "string" ? field : undefined;
}

/** A foreign value as text for people; `String` would throw on an object with its own `toString`. */
export function shown(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}

/** The same, truncated: a peer's mistake need not be returned in full. */
export function brief(value: unknown): string {
  const text = shown(value);
  return text.length > BRIEF_LENGTH ? `${text.slice(0, BRIEF_LENGTH)}…` : text;
}

const BRIEF_LENGTH = 100;

/** The objects in the field's list; other items are left out. */
export function objectsAt(value: JsonObject, name: string): readonly JsonObject[] {
  const field = value[name];
  return Array.isArray(field) ? field.filter(isJsonObject) : [];
}

/** A sink for a dialect with shorter messages: filling in a field that it never had is no repair. */
export function expectingDefaults<M>(sink: Sink<M>): Sink<M> {
  return {
    message: (message) => sink.message(message),
    malformed: (fault) => sink.malformed(fault),
    reply: (value) => sink.reply(value),
    repaired(type, repairs) {
      const surprising = repairs.filter((repair) => repair.kind !== "defaulted" || repair.was !== undefined);
      if (surprising.length > 0) sink.repaired(type, surprising);
    },
  };
}
