import { matchesWildcard, wildcard } from "./wildcard.ts";

// The server's name must be spelled out before the first wildcard.
const LITERAL_SERVER = /^mcp__[^*]+?__/;

/** Whether an allow rule without content names a tool: by its name, or an MCP server's tools by a pattern. */
export function allowsToolName(rule: string, tool: string): boolean {
  if (rule === tool) return true;
  const pattern = isServer(rule) ? `${rule}__*` : rule;
  const server = LITERAL_SERVER.exec(pattern)?.[0];
  if (server === undefined || !pattern.includes("*") || !tool.startsWith(server)) return false;
  // `mcp__a__b__c` may also be tool `c` of a server `a__b`, which was not allowed.
  const name = tool.slice(server.length);
  return !name.startsWith("_") && !name.includes("__") && names(pattern, tool);
}

/** Whether a deny or ask rule without content names a tool; its wildcards may stand anywhere. */
export function forbidsToolName(rule: string, tool: string): boolean {
  return names(rule, tool) || (rule.startsWith("mcp__") && names(`${rule}__*`, tool));
}

const names = (pattern: string, tool: string) => matchesWildcard(wildcard(pattern, "*"), tool);

function isServer(rule: string): boolean {
  return rule.startsWith("mcp__") && !rule.includes("__", "mcp__".length);
}
