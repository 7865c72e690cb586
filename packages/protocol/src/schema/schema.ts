import type { Reading } from "./reading.ts";

/** Returned by `read` if nothing sensible can be made of a value. */
export const UNREADABLE: unique symbol = Symbol("unreadable");

/** How a schema appears in the generated reference. */
export interface SchemaDoc {
  /** The type as one expression, such as `string[]`. */
  readonly type: string;
  /** The fields, if the schema is an object, or a list or map of objects. */
  readonly fields?: readonly FieldDoc[];
  /** When a message or request is sent, or the purpose of a shape. */
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

/** Whether a field must be present, may be absent, or gets a default from the reader. */
export type Presence = "required" | "optional" | "defaulted";

/**
 * Describes one shape on the wire. Reading has two speeds. `accepts` is the fast path that almost every line
 * takes: no allocation, and the parsed value is used as it is. Only values that it refuses go through `read`,
 * which repairs. `read` never calls `accepts` on nested values: that would cost depth times size.
 */
export interface Schema<T> {
  /** Built on demand: only errors and the reference need it. */
  doc(): SchemaDoc;
  accepts(value: unknown): value is T;
  read(value: unknown, reading: Reading): T | typeof UNREADABLE;
}

/** The TypeScript type that a schema stands for. */
export type Infer<S> = S extends Schema<infer T> ? T : never;

/** How important a shape is to a peer: essential for ordinary use, recommended, or extra. */
export type Mark = "E" | "R" | "X";

/** Sets a schema's description in the generated reference: when it is sent, or its purpose. */
export function about<S extends Schema<unknown>>(mark: Mark, sentence: string, schema: S): S {
  return { ...schema, doc: () => ({ ...schema.doc(), mark, about: sentence }) };
}

/** The same shape under another name, used by errors and the reference. */
export function called<S extends Schema<unknown>>(type: string, schema: S): S {
  return { ...schema, doc: () => ({ ...schema.doc(), type }) };
}

/** The same shape, accepted exactly or not at all: for decisions, where a dropped field could mean the opposite. */
export function exact<T>(schema: Schema<T>): Schema<T> {
  return { ...schema, read: (value) => (schema.accepts(value) ? value : UNREADABLE) };
}
