import { type Schema, UNREADABLE } from "./schema.ts";

/** The same shape, taken as it stands or not at all: for decisions, where a dropped field could mean the opposite. */
export function exact<T>(schema: Schema<T>): Schema<T> {
  return { ...schema, read: (value) => (schema.accepts(value) ? value : UNREADABLE) };
}
