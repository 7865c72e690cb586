import type { McpTool } from "../mcp/servers.ts";
import type { Tool } from "../tools/tool.ts";

/** The MCP server that a tool belongs to, as hosts and hooks are told; nothing for tools of our own. */
export function mcpServerOf(tool: Tool | McpTool | undefined): { name: string; source: string } | undefined {
  const origin = tool && "mcp" in tool ? tool.mcp : undefined;
  return origin && { name: origin.server, source: origin.source };
}

/** The same as a field of a hook's input. */
export function mcpFacts(tool: Tool | undefined): { mcp_server?: { name: string; source: string } } {
  const server = mcpServerOf(tool);
  return server ? { mcp_server: server } : {};
}
