import { Reading, type Repair } from "../../src/schema/reading.ts";
import { type Schema, UNREADABLE } from "../../src/schema/schema.ts";

/** Reads a value as if a peer had sent it, on the slow path. */
export function readSlowly<T>(
  schema: Schema<T>,
  value: unknown,
): { readonly value?: T; readonly failure?: string; readonly repairs: readonly Repair[] } {
  const reading = new Reading();
  const readable = schema.read(JSON.parse(JSON.stringify(value)), reading);
  const { repairs, failure } = reading;
  return readable === UNREADABLE ? { failure, repairs } : { value: readable, repairs };
}
