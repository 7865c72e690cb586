import { currentToolName } from "../../catalog/tool-name.ts";
import type { GivenRule, RuleContext, ToolCall } from "./given-rule.ts";
import { callPaths, hasOverlongPath } from "./path/call-paths.ts";
import { matchesPath, parsePathPattern, reachesBelow } from "./path/path-pattern.ts";
import { toSegments } from "./path/segment-pattern.ts";

const COVERED_TOOLS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["Edit", new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"])],
  ["Read", new Set(["Read", "Glob", "Grep", "LS"])],
]);

/** The rule name that covers a file tool and similar ones; undefined for other tools. */
export function fileRuleName(toolName: string): string | undefined {
  for (const [rule, covered] of COVERED_TOOLS) if (covered.has(toolName)) return rule;
  return undefined;
}

/**
 * Whether a rule with a path covers a call of a file tool. `Edit(path)` covers every tool that edits files,
 * `Read(path)` every tool that reads them. A path may have many spellings: an allow must match all of them, a
 * deny or ask any.
 */
export function matchesFileRule(
  given: GivenRule,
  content: string,
  call: ToolCall,
  context: RuleContext,
): boolean {
  const { toolName } = given.rule;
  if (toolName !== call.toolName && !COVERED_TOOLS.get(toolName)?.has(call.toolName)) return false;
  // No system opens such a path as it is, and what a tool makes of it is undefined.
  if (hasOverlongPath(call)) return given.behavior !== "allow";
  const paths = callPaths(call, context);
  const pattern = parsePathPattern(content, { ...context, root: given.root ?? context.cwd });
  if (!paths || !pattern) return false;
  const matches = (names: readonly string[]) => matchesPath(pattern, names);
  if (given.behavior !== "allow") return paths.spellings.some(matches);
  return !paths.mayReachMore && paths.spellings.every(matches);
}

/** Whether a rule about reading a path may cover anything in or below a folder, given as an absolute path. */
export function coversBelow(given: GivenRule, folder: string, context: RuleContext): boolean {
  const { toolName, content } = given.rule;
  if (content === undefined || fileRuleName(currentToolName(toolName)) !== "Read") return false;
  const pattern = parsePathPattern(content, { ...context, root: given.root ?? context.cwd });
  return pattern !== undefined && reachesBelow(pattern, toSegments(folder));
}

/** The path that a file rule names, absolute and with its wildcards; undefined for a rule that names none. */
export function rulePath(given: GivenRule, context: RuleContext): string | undefined {
  const { content } = given.rule;
  const pattern =
    content === undefined
      ? undefined
      : parsePathPattern(content, { ...context, root: given.root ?? context.cwd });
  return pattern && `/${[...pattern.base, ...pattern.segments].join("/")}`;
}
