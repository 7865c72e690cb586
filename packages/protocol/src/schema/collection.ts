import { isJsonObject, type JsonObject } from "../json.ts";
import type { Reading } from "./reading.ts";
import { type Schema, UNREADABLE } from "./schema.ts";

/** A list; an unreadable item is dropped and the others are kept. */
export function array<T>(item: Schema<T>): Schema<T[]> {
  return {
    doc: () => {
      const { type, fields } = item.doc();
      return { type: type.includes(" ") && !fields ? `(${type})[]` : `${type}[]`, fields };
    },
    accepts: (value): value is T[] => Array.isArray(value) && value.every(item.accepts),
    read(value, reading) {
      if (!Array.isArray(value)) return UNREADABLE;
      const items: T[] = [];
      value.forEach((raw, index) => {
        const readable = reading.under(index, () => readOrDrop(item, raw, reading));
        if (readable !== UNREADABLE) items.push(readable);
      });
      return items;
    },
  };
}

/** An object used as a map; an unreadable value is dropped and the others are kept. */
export function record<T>(entry: Schema<T>): Schema<{ [key: string]: T }> {
  const acceptsAll = (value: JsonObject) => {
    for (const key in value) if (Object.hasOwn(value, key) && !entry.accepts(value[key])) return false;
    return true;
  };
  return {
    doc: () => {
      const { type, fields } = entry.doc();
      return { type: `{[key]: ${type}}`, fields };
    },
    accepts: (value): value is { [key: string]: T } => isJsonObject(value) && acceptsAll(value),
    read(value, reading) {
      if (!isJsonObject(value)) return UNREADABLE;
      const pairs: [string, T][] = [];
      for (const [key, raw] of Object.entries(value)) {
        const readable = reading.under(key, () => readOrDrop(entry, raw, reading));
        if (readable !== UNREADABLE) pairs.push([key, readable]);
      }
      return Object.fromEntries(pairs);
    },
  };
}

function readOrDrop<T>(schema: Schema<T>, raw: unknown, reading: Reading): T | typeof UNREADABLE {
  const readable = schema.read(raw, reading);
  if (readable !== UNREADABLE) return readable;
  if (reading.isStrict) reading.unfit(schema.doc().type, raw);
  else reading.repaired("dropped", raw);
  return readable;
}

/**
 * One text or a list of texts, each in a given form, as people write it in settings; `words` says what the
 * list must contain.
 */
export function texts(words: string, isGood: (text: string) => boolean): Schema<string | string[]> {
  const isText = (value: unknown) => typeof value === "string" && isGood(value);
  const accepts = (value: unknown): value is string | string[] =>
    Array.isArray(value) ? value.every(isText) : isText(value);
  return {
    doc: () => ({ type: words }),
    accepts,
    read(value, reading) {
      if (accepts(value)) return value;
      const bad = Array.isArray(value) ? value.find((item) => !isText(item)) : value;
      if (reading.isStrict) reading.unfit(words, bad);
      return UNREADABLE;
    },
  };
}
