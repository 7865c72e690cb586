import { isJsonObject, type JsonObject } from "../json.ts";
import type { Reading } from "./reading.ts";
import { type Infer, type Schema, UNREADABLE } from "./schema.ts";
import { Unknown } from "./unknown.ts";

/** One of several shapes without a common tag, such as `string | Block[]`; the first that can be read is used. */
export function either<S extends readonly Schema<unknown>[]>(...options: S): Schema<Infer<S[number]>> {
  type T = Infer<S[number]>;
  return {
    doc: () => ({ type: options.map((option) => option.doc().type).join(" | ") }),
    accepts: (value): value is T => options.some((option) => option.accepts(value)),
    read(value, reading) {
      const { fault } = reading;
      let nearest = fault;
      for (const option of options) {
        reading.fault = fault;
        const readable = reading.attempt(() => option.read(value, reading));
        if (readable !== UNREADABLE && reading.fault === fault) return readable as T;
        // The shape that was meant is the one that fits down to some nested place.
        nearest ??= reading.fault;
      }
      reading.fault = nearest;
      return UNREADABLE;
    },
  };
}

/** Shapes distinguished by a tag, as a schema and as the table it was built from. */
export interface Variants<T> extends Schema<T | Unknown> {
  readonly table: ReadonlyMap<string, Schema<T>>;
}

/**
 * One of several shapes distinguished by `tag`. A shape newer than this reader is kept as an `Unknown`, whose
 * `raw_type` is the tag prefixed with `family`, as in `system/foo`.
 */
export function variants<S extends { readonly [value: string]: Schema<unknown> }>(
  name: string,
  tag: string,
  shapes: S,
  family = "",
): Variants<Infer<S[keyof S]>> {
  type T = Infer<S[keyof S]>;
  const table = new Map(Object.entries(shapes)) as unknown as ReadonlyMap<string, Schema<T>>;
  const shapeOf = (value: JsonObject) => {
    const found = value[tag];
    return typeof found === "string" ? table.get(found) : undefined;
  };
  const kept = (value: JsonObject, reading: Reading) => {
    reading.repaired("unknown", value[tag]);
    return new Unknown(family + (typeof value[tag] === "string" ? value[tag] : ""), value);
  };
  return {
    table,
    doc: () => ({ type: name }),
    accepts: (value): value is T | Unknown => isJsonObject(value) && shapeOf(value)?.accepts(value) === true,
    read(value, reading) {
      if (!isJsonObject(value)) return UNREADABLE;
      const shape = shapeOf(value);
      if (!shape) return kept(value, reading);
      const readable = reading.attempt(() => shape.read(value, reading));
      // A known shape that can't be read is probably a newer version of it: keeping it is better than losing it.
      return readable === UNREADABLE ? kept(value, reading) : readable;
    },
  };
}

/** Defers a schema that refers to itself. */
export function lazy<T>(name: string, make: () => Schema<T>): Schema<T> {
  let made: Schema<T> | undefined;
  const schema = () => {
    made ??= make();
    return made;
  };
  return {
    doc: () => ({ type: name }),
    accepts: (value): value is T => schema().accepts(value),
    read: (value, reading) => schema().read(value, reading),
  };
}
