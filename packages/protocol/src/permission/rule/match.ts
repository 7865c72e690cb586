import { currentToolName } from "../../catalog/tool-name.ts";
import { BashCommand } from "./bash/command.ts";
import { coverCommand } from "./bash/cover-command.ts";
import { forbidsCommand } from "./bash/forbid-command.ts";
import { allowsDomain, forbidsDomain } from "./domain-rule.ts";
import { matchesFileRule } from "./file-rule.ts";
import type { GivenRule, RuleContext, ToolCall } from "./given-rule.ts";
import { matchesWildcard, wildcard } from "./wildcard.ts";

/** A call under its tool's current name, with its shell command parsed once for all rules. */
export interface ReadCall extends ToolCall {
  readonly command?: BashCommand;
}

/** Prepares a call for comparison with any number of rules. */
export function readCall({ toolName, input }: ToolCall): ReadCall {
  const call = { toolName: currentToolName(toolName), input };
  const command = call.toolName === "Bash" ? input.command : undefined;
  return typeof command === "string" ? { ...call, command: new BashCommand(command) } : call;
}

/** Whether a single rule decides a call: an allow must cover all of it, a deny or ask any part of it. */
export function matchesRule(given: GivenRule, call: ReadCall, context: RuleContext): boolean {
  const { content } = given.rule;
  const toolName = currentToolName(given.rule.toolName);
  const isAllow = given.behavior === "allow";
  if (content === undefined) return (isAllow ? allowsToolName : forbidsToolName)(toolName, call.toolName);
  if (call.command) {
    if (!isAllow) return forbidsCommand(given, content, call.command, context);
    return toolName === "Bash" && coverCommand([given], call.command).uncovered.length === 0;
  }
  if (matchesFileRule(given, content, call, context)) return true;
  if (toolName !== call.toolName) return false;
  switch (toolName) {
    case "WebFetch":
      return (isAllow ? allowsDomain : forbidsDomain)(content, call.input.url);
    case "WebSearch":
      return call.input.query === content;
    case "Skill":
      return call.input.skill === content;
    case "Agent":
      return call.input.subagent_type === content;
    default:
      return false;
  }
}

// The server's name must be spelled out before the first wildcard.
const LITERAL_SERVER = /^mcp__[^*]+?__/;

/** Whether an allow rule without content names a tool: by its name, or by a pattern for an MCP server's tools. */
function allowsToolName(rule: string, tool: string): boolean {
  if (rule === tool) return true;
  const pattern = isServer(rule) ? `${rule}__*` : rule;
  const server = LITERAL_SERVER.exec(pattern)?.[0];
  if (server === undefined || !pattern.includes("*") || !tool.startsWith(server)) return false;
  // `mcp__a__b__c` may also be tool `c` of a server `a__b`, which was not allowed.
  const name = tool.slice(server.length);
  return !name.startsWith("_") && !name.includes("__") && names(pattern, tool);
}

/** Whether a deny or ask rule without content names a tool; its wildcards may be anywhere. */
function forbidsToolName(rule: string, tool: string): boolean {
  return names(rule, tool) || (rule.startsWith("mcp__") && names(`${rule}__*`, tool));
}

const names = (pattern: string, tool: string) => matchesWildcard(wildcard(pattern, "*"), tool);

function isServer(rule: string): boolean {
  return rule.startsWith("mcp__") && !rule.includes("__", "mcp__".length);
}
