import type { AgentDefinition } from "@agentwire/protocol/control";
import { currentToolName } from "@agentwire/protocol/permission";
import type { McpServerConfigs } from "../mcp/servers.ts";

/** The name of the agent that always exists. */
export const GENERAL_PURPOSE = "general-purpose";

/** The agent that always exists. */
export const GENERAL: AgentDefinition = {
  description: "For questions and tasks of several steps that need all tools",
  prompt:
    "You were given one task by another agent. Do it completely with the tools you have, then answer with a short report of what you found or did: your last message is all that is passed on.",
};

/** The tools that an agent needs to keep notes. */
const NOTE_TOOLS: ReadonlySet<string> = new Set(["Read", "Write", "Edit"]);

/** Whether an agent may use a tool of the session. */
export function mayUse({ tools, disallowedTools = [], memory }: AgentDefinition, name: string): boolean {
  if (disallowedTools.some((entry) => isMeant(entry, name))) return false;
  return (
    !tools || tools.some((entry) => isMeant(entry, name)) || (memory !== undefined && NOTE_TOOLS.has(name))
  );
}

/** Whether a list entry matches a tool: by name, possibly with a rule in parentheses, or by its MCP server. */
function isMeant(entry: string, name: string): boolean {
  const tool = currentToolName(entry.replace(/\(.*$/s, "").trim());
  if (tool === name || tool === "*") return true;
  if (!tool.startsWith("mcp__") || !name.startsWith("mcp__")) return false;
  return name.startsWith(tool.endsWith("*") ? tool.slice(0, -1) : `${tool}__`);
}

/** The MCP servers that an agent defines; those it only names belong to the session. */
export function ownServers({ mcpServers = [] }: AgentDefinition): McpServerConfigs {
  return Object.assign({}, ...mcpServers.filter((entry) => typeof entry !== "string"));
}
