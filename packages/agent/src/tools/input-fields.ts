import type { JsonObject } from "@agentwire/protocol";

// Inputs are checked before a tool runs, but hooks and hosts may replace them afterwards, so nothing is assumed about them here.

/** The required text field `name` of a call. */
export function textField(input: JsonObject, name: string): string {
  const value = input[name];
  if (typeof value !== "string") throw new Error(`The parameter \`${name}\` must be a string.`);
  return value;
}

/** The text field `name` of a call, if it is set. */
export function optionalText(input: JsonObject, name: string): string | undefined {
  const value = input[name];
  return typeof value === "string" ? value : undefined;
}

/** The field `name` of a call as a whole number of zero or more, if it is set. */
export function optionalCount(input: JsonObject, name: string): number | undefined {
  const value = input[name];
  return typeof value === "number" && Number.isFinite(value) ? Math.max(0, Math.floor(value)) : undefined;
}

/** Whether the boolean field `name` of a call is true. */
export function isSet(input: JsonObject, name: string): boolean {
  return input[name] === true;
}
