import { basename } from "node:path";
import { toolNames } from "../catalog/tool-name.ts";
import { type HookInput, hookShapes } from "./events.ts";
import { compilePattern } from "./pattern.ts";

/** Decides whether a hook runs. */
export interface HookMatcher {
  /** Whether any of the names matches; an empty list means that the event takes no matcher. */
  matches(names: readonly string[]): boolean;
  /** Why the matcher is unusable, in which case it matches no name. */
  readonly problem?: string;
}

const LIST = /^[A-Za-z0-9_|, -]+$/;
const EVERYTHING = new Set(["", "*", ".*"]);
const MAX_NAME_LENGTH = 256;

/**
 * Compiles a matcher: nothing, `*` or `.*` match everything; letters, digits, spaces and `_ - | ,` form a
 * list of exact names; anything else is a regular expression, which may match anywhere in a name.
 */
export function compileMatcher(matcher: string | null | undefined): HookMatcher {
  if (EVERYTHING.has(matcher ?? "")) return { matches: () => true };
  const source = matcher ?? "";
  if (LIST.test(source)) {
    const listed = new Set(source.split(/[|,]/).map((name) => name.trim()));
    return matchingSome((name) => listed.has(name));
  }
  const pattern = compilePattern(source);
  if ("problem" in pattern)
    return { ...matchingSome(() => false), problem: `the matcher ${pattern.problem}` };
  // A name too long to test safely counts as a match: it is better to run the hook once too often than not at all.
  return matchingSome((name) => name.length > MAX_NAME_LENGTH || pattern.regex.test(name));
}

/**
 * The names that a matcher is compared with: for a tool, all its names, past and present; none if the event
 * takes no matcher.
 */
export function matchedNames(input: HookInput): readonly string[] {
  const field = hookShapes.get(input.hook_event_name)?.matcher;
  const value: unknown = field === undefined ? undefined : Reflect.get(input, field);
  if (typeof value !== "string") return [];
  if (field === "tool_name") return toolNames(value);
  return [field === "file_path" ? basename(value) : value];
}

function matchingSome(isMeant: (name: string) => boolean): HookMatcher {
  return { matches: (names) => names.length === 0 || names.some(isMeant) };
}
