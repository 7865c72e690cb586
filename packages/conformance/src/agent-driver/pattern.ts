import { fits as hasAll } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";

/** What a line must have: every key that is given, with the same value; or a test of its own. */
export type Pattern = JsonObject | ((line: JsonObject) => boolean);

/** Tells whether a line fits a pattern. */
export function fits(pattern: Pattern, line: JsonObject): boolean {
  return typeof pattern === "function" ? pattern(line) : hasAll(pattern, line);
}

/** The pattern in words, for the message that it never came. */
export function describePattern(pattern: Pattern): string {
  return typeof pattern === "function" ? "the line it waited for" : JSON.stringify(pattern);
}
