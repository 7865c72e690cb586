import { type Fault, Reading, type UnknownKey } from "./reading.ts";
import { type Schema, UNREADABLE } from "./schema.ts";

/** The result of a strict check: nothing is coerced, dropped or filled in. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T; readonly unknownKeys: readonly UnknownKey[] }
  | { readonly ok: false; readonly fault: Fault };

/**
 * Checks something that a person has written, such as settings; reports the first value that does not fit, or
 * the unknown keys.
 */
export function check<T>(schema: Schema<T>, value: unknown): Checked<T> {
  const reading = new Reading({ isStrict: true });
  const readable = schema.read(value, reading);
  if (readable === UNREADABLE) reading.unfit(schema.doc().type, value);
  if (reading.fault) return { ok: false, fault: reading.fault };
  return { ok: true, value: readable as T, unknownKeys: reading.unknownKeys };
}

/** Reads a value given as text, such as a flag's; undefined if it does not fit. */
export function readText<T>(schema: Schema<T>, text: string): T | undefined {
  const readable = schema.read(text, new Reading());
  return readable === UNREADABLE ? undefined : readable;
}

/**
 * What is wrong with a value that has to fit exactly, such as an option or a setting: nothing is coerced or
 * dropped. Undefined if it fits; `name` is what the text calls the value.
 */
export function faultIn(schema: Schema<unknown>, value: unknown, name: string): string | undefined {
  if (schema.accepts(value)) return undefined;
  const reading = new Reading();
  reading.under(name, () => schema.read(value, reading));
  if (reading.failure !== undefined) return reading.failure;
  const { path = name } = reading.repairs[0] ?? {};
  return `${name} should be ${schema.doc().type}${path === name ? "" : `: look at ${path}`}`;
}
