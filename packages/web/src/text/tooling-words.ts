import { ConfigScope } from "@agentwire/api";

/** Whose file something stands in. */
export const CONFIG_SCOPES: ReadonlyMap<ConfigScope, string> = new Map([
  [ConfigScope.USER, "you, in all folders"],
  [ConfigScope.PROJECT, "everyone in this folder"],
  [ConfigScope.LOCAL, "you, in this folder"],
]);

/** The same for hooks, which also stand in files that can't be changed here. */
export const HOOK_SCOPES: ReadonlyMap<ConfigScope, string> = new Map([
  ...CONFIG_SCOPES,
  [ConfigScope.MANAGED, "the administrator"],
]);

/** How an MCP server is, and how loudly that is said. */
export const SERVER_STATES: ReadonlyMap<string, readonly [words: string, tone: string]> = new Map([
  ["connected", ["connected", "good"]],
  ["failed", ["failed", "bad"]],
  ["needs-auth", ["needs a sign-in", "warning"]],
  ["pending", ["connecting", "warning"]],
  ["disabled", ["switched off", ""]],
]);

/** The words of a command line: quotes keep together what belongs together. Undefined while one is open. */
export function wordsOf(line: string): readonly string[] | undefined {
  const words = [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word);
  const isWhole = words.join("") === line.replace(/\s+(?=(?:[^"']|"[^"]*"|'[^']*')*$)/g, "");
  if (!isWhole) return undefined;
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single));
}
