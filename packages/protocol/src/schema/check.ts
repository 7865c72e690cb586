import { Reading } from "./reading.ts";
import type { Schema } from "./schema.ts";

/**
 * What is wrong with a value that has to fit as it stands, such as an option or a setting: nothing is coerced or left out. Undefined
 * if it fits; `name` is what the value is called in the text.
 */
export function faultIn(schema: Schema<unknown>, value: unknown, name: string): string | undefined {
  if (schema.accepts(value)) return undefined;
  const reading = new Reading();
  reading.under(name, () => schema.read(value, reading));
  if (reading.failure !== undefined) return reading.failure;
  const { path = name } = reading.repairs[0] ?? {};
  return `${name} should be ${schema.doc.type}${path === name ? "" : `: look at ${path}`}`;
}
