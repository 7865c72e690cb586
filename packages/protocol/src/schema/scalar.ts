import { isJsonObject, type JsonObject } from "../json.ts";
import type { Reading } from "./reading.ts";
import { called, type Schema, UNREADABLE } from "./schema.ts";

const never = () => undefined;

/** A scalar that reads any accepted value, and any value that `coerce` can convert to one. */
export function scalar<T>(
  type: string,
  accepts: (value: unknown) => boolean,
  coerce: (value: unknown) => T | undefined = never,
) {
  const schema: Schema<T> = {
    doc: () => ({ type }),
    accepts: accepts as (value: unknown) => value is T,
    read(value: unknown, reading: Reading) {
      if (accepts(value)) return value as T;
      if (reading.isStrict) return UNREADABLE;
      const coerced = coerce(value);
      if (coerced === undefined) return UNREADABLE;
      reading.repaired("coerced", value);
      return coerced;
    },
  };
  return schema;
}

/** Text; numbers and booleans are converted to text. */
export const string = scalar<string>(
  "string",
  (value) => typeof value === "string",
  (value) => (typeof value === "number" || typeof value === "boolean" ? String(value) : undefined),
);

/** Text that is not empty. */
export const filled = scalar<string>("text", (value) => typeof value === "string" && value !== "");

/** A finite number; a string that spells one is converted. */
export const number = scalar<number>("number", Number.isFinite, (value) => {
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const parsed = Number(value);
  return Number.isFinite(parsed) ? parsed : undefined;
});

/** The limits of a number. */
export interface Limits {
  readonly least?: number;
  /** More than this. */
  readonly above?: number;
  readonly most?: number;
  readonly isWhole?: boolean;
}

/** A number within limits; a string that spells one is converted. */
export function numberIn({ least, above, most, isWhole = false }: Limits): Schema<number> {
  const kind = isWhole ? "a whole number" : "a number";
  const range =
    least === undefined
      ? above === undefined
        ? ""
        : ` above ${above}`
      : most === undefined
        ? ` of at least ${least}`
        : ` from ${least} to ${most}`;
  const fits = (value: unknown): value is number =>
    number.accepts(value) &&
    value >= (least ?? value) &&
    value <= (most ?? value) &&
    (above === undefined || value > above) &&
    (!isWhole || Number.isInteger(value));
  return scalar<number>(`${kind}${range}`, fits, (value) => {
    const spelled = typeof value === "string" && value.trim() !== "" ? Number(value) : undefined;
    return fits(spelled) ? spelled : undefined;
  });
}

/** True or false; the strings `true` and `false`, and 0 and 1, are converted. */
export const boolean = scalar<boolean>(
  "boolean",
  (value) => typeof value === "boolean",
  (value) => (value === "true" || value === 1 ? true : value === "false" || value === 0 ? false : undefined),
);

/** Any JSON value, passed through unchanged. */
export const anything = scalar<unknown>("any", () => true);

/** An object whose keys are not checked here. */
export const jsonObject = scalar<JsonObject>("object", isJsonObject);

/** Exactly one of the given values: for tags, and for values where an unknown one must not be accepted. */
export function literal<const T extends string | number | boolean>(...values: readonly T[]): Schema<T> {
  const [only] = values;
  const isKnown =
    values.length === 1
      ? (value: unknown) => value === only
      : (value: unknown) => values.includes(value as T);
  const doc = () => ({ type: values.map((value) => JSON.stringify(value)).join(" | ") });
  return { ...scalar<T>("", isKnown), doc };
}

/** The same for a choice made by a person: an error lists the words. */
export function choice<const T extends string>(...words: readonly T[]): Schema<T> {
  return called(`one of ${words.join(", ")}`, literal(...words));
}

/** A vocabulary that grows with each version: any string is accepted, the known ones are offered to the reader. */
export function oneOf<const T extends string>(...values: readonly T[]): Schema<T | (string & {})> {
  return {
    ...string,
    doc: () => ({ type: [...values.map((value) => JSON.stringify(value)), "…"].join(" | ") }),
  };
}

/** The same, or null. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return {
    doc: () => ({ ...schema.doc(), type: `${schema.doc().type} | null` }),
    accepts: (value): value is T | null => value === null || schema.accepts(value),
    read: (value, reading) => (value === null ? null : schema.read(value, reading)),
  };
}
