import { ConfigScope } from "@agentwire/api";

/** Labels for configuration scopes: whom a setting applies to. */
export const CONFIG_SCOPES: ReadonlyMap<ConfigScope, string> = new Map([
  [ConfigScope.USER, "you, in all folders"],
  [ConfigScope.PROJECT, "everyone in this folder"],
  [ConfigScope.LOCAL, "you, in this folder"],
]);

/** The same for hooks, which can also come from a managed file that can't be changed here. */
export const HOOK_SCOPES: ReadonlyMap<ConfigScope, string> = new Map([
  ...CONFIG_SCOPES,
  [ConfigScope.MANAGED, "the administrator"],
]);

/** Labels and tones for the states of an MCP server. */
export const SERVER_STATES: ReadonlyMap<string, readonly [words: string, tone: string]> = new Map([
  ["connected", ["connected", "good"]],
  ["failed", ["failed", "bad"]],
  ["needs-auth", ["sign-in required", "warning"]],
  ["pending", ["connecting", "warning"]],
  ["disabled", ["disabled", ""]],
]);

/** Splits a command line into words, respecting quotes; undefined if a quote is not closed. */
export function wordsOf(line: string): readonly string[] | undefined {
  const words = [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word);
  const isWhole = words.join("") === line.replace(/\s+(?=(?:[^"']|"[^"]*"|'[^']*')*$)/g, "");
  if (!isWhole) return undefined;
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single));
}
