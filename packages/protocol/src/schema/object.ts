import { isJsonObject, type JsonObject } from "../json.ts";
import type { Reading } from "./reading.ts";
import { type FieldDoc, type Infer, type Presence, type Schema, UNREADABLE } from "./schema.ts";

/** A schema as a field of an object, with the rule for its absence and a note for the reference. */
export interface Field<T, P extends Presence = Presence> extends Schema<T> {
  readonly presence: P;
  readonly fallback?: T;
  readonly note?: string;
}

/** The fields of an object by their wire names; a bare schema is a required field. */
export type Fields = { readonly [name: string]: Schema<unknown> | Field<unknown> };

type OptionalNames<F extends Fields> = {
  [K in keyof F]: F[K] extends { readonly presence: "optional" } ? K : never;
}[keyof F];

/** The TypeScript type of an object with the given fields. */
export type ObjectOf<F extends Fields> = {
  [K in Exclude<keyof F, OptionalNames<F>>]: Infer<F[K]>;
} & { [K in OptionalNames<F>]?: Infer<F[K]> } extends infer O
  ? { [K in keyof O]: O[K] }
  : never;

/** A schema that exposes its fields, so that another schema can be built from them. */
export interface ObjectSchema<F extends Fields> extends Schema<ObjectOf<F>> {
  readonly fields: F;
}

/** A field that may be absent; an unreadable value is dropped, never fatal. */
export function optional<T>(schema: Schema<T>, note?: string): Field<T, "optional"> {
  return { ...schema, presence: "optional", note };
}

/** A field that is always present for the reader: `fallback` is used if the peer omitted it. */
export function defaulted<T>(schema: Schema<T>, fallback: T, note?: string): Field<T, "defaulted"> {
  // The fallback is shared by all messages that lack the field, so it must not change.
  return { ...schema, presence: "defaulted", fallback: Object.freeze(fallback) as T, note };
}

/** A required field with a note for the reference. */
export function required<T>(schema: Schema<T>, note: string): Field<T, "required"> {
  return { ...schema, presence: "required", note };
}

/** The same object without any other keys: for input where a misspelling must be noticed. */
export function closed<F extends Fields>(schema: ObjectSchema<F>): ObjectSchema<F> {
  const known = Object.keys(schema.fields);
  const unknownIn = (value: unknown) =>
    isJsonObject(value) ? Object.keys(value).find((key) => !known.includes(key)) : undefined;
  return {
    ...schema,
    accepts: (value): value is ObjectOf<F> => unknownIn(value) === undefined && schema.accepts(value),
    read(value, reading) {
      const key = unknownIn(value);
      if (key === undefined) return schema.read(value, reading);
      reading.under(key, () => reading.unfit(`one of the keys ${known.join(", ")}`, undefined));
      return UNREADABLE;
    },
  };
}

/** An object with known fields; unknown keys are kept. */
export function object<F extends Fields>(fields: F): ObjectSchema<F> {
  // Built on first use: a process meets few of the shapes that it could read.
  let known: readonly Entry[] | undefined;
  let checks: readonly Check[] | undefined;
  const entries = () => {
    known ??= Object.entries(fields).map(([name, field]) => asField(name, field));
    return known;
  };
  return {
    fields,
    doc: () => ({ type: `{${entries().map(spell).join(", ")}}`, fields: entries().map(toDoc) }),
    accepts: (value): value is ObjectOf<F> => {
      checks ??= entries().map(toCheck);
      return isJsonObject(value) && hasAll(checks, value);
    },
    read: (value, reading) =>
      isJsonObject(value) ? (readAll(entries(), value, reading) as ObjectOf<F>) : UNREADABLE,
  };
}

interface Entry extends Field<unknown> {
  readonly name: string;
}

function asField(name: string, field: Schema<unknown> | Field<unknown>): Entry {
  return { presence: "required", ...field, name };
}

/**
 * The part of a field that the fast path needs. All fields share one shape, because this is the loop that
 * every line goes through.
 */
interface Check {
  readonly name: string;
  readonly mayLack: boolean;
  readonly accepts: (value: unknown) => boolean;
}

const toCheck = ({ name, presence, accepts }: Entry): Check => ({
  name,
  mayLack: presence === "optional",
  accepts,
});

function hasAll(checks: readonly Check[], value: JsonObject): boolean {
  for (let i = 0; i < checks.length; i++) {
    const check = checks[i] as Check;
    const found = value[check.name];
    if (found === undefined ? !check.mayLack : !check.accepts(found)) return false;
  }
  return true;
}

function readAll(
  entries: readonly Entry[],
  value: JsonObject,
  reading: Reading,
): JsonObject | typeof UNREADABLE {
  if (reading.isStrict) noteUnknownKeys(entries, value, reading);
  // A spread, not Object.assign: an own `__proto__` key must stay an own key.
  const copy: { [key: string]: unknown } = { ...value };
  for (const entry of entries) {
    const found = value[entry.name];
    if (found === undefined && entry.presence === "optional") continue;
    const readable = reading.under(entry.name, () => readField(entry, found, reading));
    if (readable === UNREADABLE) return UNREADABLE;
    if (readable === undefined) delete copy[entry.name];
    else copy[entry.name] = readable;
  }
  return copy;
}

function noteUnknownKeys(entries: readonly Entry[], value: JsonObject, reading: Reading): void {
  const known = entries.map(({ name }) => name);
  for (const key of Object.keys(value)) if (!known.includes(key)) reading.unknownKey(key, known);
}

function readField(entry: Entry, found: unknown, reading: Reading): unknown {
  const readable = found === undefined ? UNREADABLE : entry.read(found, reading);
  if (readable !== UNREADABLE) return readable;
  if (reading.isStrict) {
    reading.unfit(entry.doc().type, found);
    return UNREADABLE;
  }
  if (entry.presence === "required") {
    reading.failed(found === undefined ? "is missing" : `should be ${entry.doc().type}`);
    return UNREADABLE;
  }
  reading.repaired(entry.presence === "defaulted" ? "defaulted" : "dropped", found);
  return entry.fallback;
}

const spell = (entry: Entry) => (entry.presence === "optional" ? `${entry.name}?` : entry.name);

const toDoc = ({ name, doc, presence, note }: Entry): FieldDoc => ({ name, doc: doc(), presence, note });
