import type { RuleContext, ToolCall } from "../given-rule.ts";
import { callPaths } from "./call-paths.ts";
import { ANY_NAME, toSegments } from "./segment-pattern.ts";

/** A pattern for everything in the directory of a call's path, or for the path itself if that would be too much. */
export function suggestPathPattern(call: ToolCall, context: RuleContext): string | undefined {
  const paths = callPaths(call, { ...context, resolvedPaths: [] });
  const names = paths?.mayReachMore ? undefined : paths?.spellings[0];
  if (!names) return undefined;
  const directory = names.slice(0, -1);
  const cwd = toSegments(context.cwd);
  if (isWithin(cwd, directory)) return [".", ...directory.slice(cwd.length).map(literally), "**"].join("/");
  const homes = [cwd, toSegments(context.home ?? "/")];
  const holdsHome = (path: readonly string[]) => homes.some((home) => isWithin(path, home));
  if (!holdsHome(directory)) return `//${[...directory.map(literally), "**"].join("/")}`;
  const isSearch = names.at(-1) === ANY_NAME;
  return isSearch || holdsHome(names) ? undefined : `//${names.map(literally).join("/")}`;
}

function isWithin(directory: readonly string[], path: readonly string[]): boolean {
  return directory.every((name, at) => path[at] === name);
}

function literally(name: string): string {
  return name.replace(/[\\*?[]/g, "\\$&");
}
