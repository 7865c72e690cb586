import { isJsonObject, type JsonObject } from "../json.ts";
import type { Sink } from "../lines/decode.ts";

/** Leaves out fields that hold nothing: an empty string, null or undefined. */
export function withoutEmpty(value: JsonObject, ...names: readonly string[]): JsonObject {
  const kept = Object.entries(value).filter(
    ([name, field]) => !names.includes(name) || (field !== "" && field !== null && field !== undefined),
  );
  return Object.fromEntries(kept);
}

/** Gives fields other names; those that are not in the table keep theirs. */
export function renamed(value: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [names.get(name) ?? name, field]));
}

/** The same table read from right to left. */
export function inverted(names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...names].map(([from, to]) => [to, from]));
}

/** The field as an object, or an empty one. */
export function objectAt(value: JsonObject, name: string): JsonObject {
  const field = value[name];
  return isJsonObject(field) ? field : {};
}

/** The field as a string, or undefined. */
export function stringAt(value: JsonObject, name: string): string | undefined {
  const field = value[name];
  return typeof field === "string" ? field : undefined;
}

/** A foreign value as text for people; `String` would throw on an object that spells its own `toString`. */
export function shown(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}

/** The same, cut where it is long: a peer's mistake need not be sent back whole. */
export function brief(value: unknown): string {
  const text = shown(value);
  return text.length > BRIEF_LENGTH ? `${text.slice(0, BRIEF_LENGTH)}…` : text;
}

const BRIEF_LENGTH = 100;

/** The field as a list of objects; whatever else stands in it is left out. */
export function objectsAt(value: JsonObject, name: string): readonly JsonObject[] {
  const field = value[name];
  return Array.isArray(field) ? field.filter(isJsonObject) : [];
}

/** A sink for a dialect whose messages are shorter by nature: fields it never had are no repair. */
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
