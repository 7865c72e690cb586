import type { Reading } from "./reading.ts";

/** What `read` returns when nothing sensible can be made of a value. */
export const UNREADABLE: unique symbol = Symbol("unreadable");

/** How a schema shows itself in the generated reference. */
export interface SchemaDoc {
  /** The type as one expression, such as `string[]`. */
  readonly type: string;
  /** The fields, where the schema is an object, or a list or map of such. */
  readonly fields?: readonly FieldDoc[];
  /** When a message or request is sent, or what a shape is for. */
  readonly about?: string;
  readonly mark?: Mark;
}

/** One row of a field table in the generated reference. */
export interface FieldDoc {
  readonly name: string;
  readonly doc: SchemaDoc;
  readonly presence: Presence;
  readonly note?: string;
}

/** Whether a field must be there, may be absent, or is given a default by the reader. */
export type Presence = "required" | "optional" | "defaulted";

/**
 * Describes one shape on the wire. Reading is in two speeds: `accepts` is the fast path that almost every line takes
 * (no allocation, the parsed value is used as it is); only what it refuses goes through `read`, which repairs. `read` never
 * calls `accepts` on what it contains: that would cost depth times size.
 */
export interface Schema<T> {
  /** Made when it is asked for: only errors and the reference need it. */
  doc(): SchemaDoc;
  accepts(value: unknown): value is T;
  read(value: unknown, reading: Reading): T | typeof UNREADABLE;
}

/** The TypeScript type that a schema stands for. */
export type Infer<S> = S extends Schema<infer T> ? T : never;

/** How much a peer needs a shape: essential for ordinary use, recommended, or extra. */
export type Mark = "E" | "R" | "X";

/** Gives a schema its sentence in the generated reference: when it is sent, or what it is for. */
export function about<S extends Schema<unknown>>(mark: Mark, sentence: string, schema: S): S {
  return { ...schema, doc: () => ({ ...schema.doc(), mark, about: sentence }) };
}

/** The same shape under other words: how errors and the reference name it. */
export function called<S extends Schema<unknown>>(type: string, schema: S): S {
  return { ...schema, doc: () => ({ ...schema.doc(), type }) };
}

/** The same shape, taken as it stands or not at all: for decisions, where a dropped field could mean the opposite. */
export function exact<T>(schema: Schema<T>): Schema<T> {
  return { ...schema, read: (value) => (schema.accepts(value) ? value : UNREADABLE) };
}
