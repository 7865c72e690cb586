import type { JsonObject } from "@agentwire/protocol";

// Inputs are checked before a tool runs, but hooks and hosts may replace them after that: so nothing is taken on trust here.

/** The text that a call must carry under `name`. */
export function textField(input: JsonObject, name: string): string {
  const value = input[name];
  if (typeof value !== "string") throw new Error(`The parameter \`${name}\` must be a string.`);
  return value;
}

/** The text under `name`, if the call carries one. */
export function optionalText(input: JsonObject, name: string): string | undefined {
  const value = input[name];
  return typeof value === "string" ? value : undefined;
}

/** The whole number of zero or more under `name`, if the call carries one. */
export function optionalCount(input: JsonObject, name: string): number | undefined {
  const value = input[name];
  return typeof value === "number" && Number.isFinite(value) ? Math.max(0, Math.floor(value)) : undefined;
}

/** Whether the call sets the switch under `name`. */
export function isSet(input: JsonObject, name: string): boolean {
  return input[name] === true;
}
