import { fits as hasAll } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";

/** What a line must have: every given key with the same value, or whatever a function tests. */
export type Pattern = JsonObject | ((line: JsonObject) => boolean);

/** Whether a line matches a pattern. */
export function fits(pattern: Pattern, line: JsonObject): boolean {
  return typeof pattern === "function" ? pattern(line) : hasAll(pattern, line);
}

/** Describes a pattern, for the message that no such line came. */
export function describePattern(pattern: Pattern): string {
  return typeof pattern === "function" ? "the expected line" : JSON.stringify(pattern);
}
