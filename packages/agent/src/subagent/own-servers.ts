import type { AgentDefinition } from "@agentwire/protocol/control";
import type { McpServerConfigs } from "../mcp/servers.ts";

/** The MCP servers that an agent brings along; those it only names are the session's own. */
export function ownServers({ mcpServers = [] }: AgentDefinition): McpServerConfigs {
  return Object.assign({}, ...mcpServers.filter((entry) => typeof entry !== "string"));
}
