import { BUILT_IN_TOOLS, FORMER_TOOL_NAMES, parseRule } from "@agentwire/protocol/permission";
import { closest } from "@agentwire/protocol/support";

/** Tools that a rule may also name: those of our agent and of the daemon, and those of older releases of the official agent. */
const OTHER_TOOLS = [
  "BashOutput",
  "Elicitation",
  "LS",
  "MemoryArchive",
  "MemoryFinish",
  "MemoryRead",
  "MemorySearch",
  "MemoryWrite",
  "MultiEdit",
  "NotebookRead",
  "SlashCommand",
  "TaskOutput",
];

const KNOWN_TOOLS: readonly string[] = [...BUILT_IN_TOOLS, ...FORMER_TOOL_NAMES.keys(), ...OTHER_TOOLS];

/**
 * What to check about a rule that names no tool we know, because it may never match; undefined if there is nothing to check. MCP
 * servers and other agents have tools of their own, so that such a rule can still be right.
 */
export function ruleHint(text: string): string | undefined {
  const reading = parseRule(text);
  if (!reading.ok) return undefined;
  const name = reading.rule.toolName;
  if (KNOWN_TOOLS.includes(name) || name.startsWith("mcp__") || name.includes("*")) return undefined;
  const meant = closestTool(name);
  return `no built-in tool is named ${name}; ${meant === undefined ? "the rule only matches a tool of exactly that name" : `did you mean ${meant}?`}`;
}

function closestTool(name: string): string | undefined {
  const small = name.toLowerCase();
  const found = closest(
    small,
    KNOWN_TOOLS.map((known) => known.toLowerCase()),
  );
  return KNOWN_TOOLS.find((known) => known.toLowerCase() === found);
}
