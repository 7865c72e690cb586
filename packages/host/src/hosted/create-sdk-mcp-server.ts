import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { McpSdkServerConfigWithInstance } from "../sdk/mcp.ts";
import type { SdkMcpServerOptions } from "../sdk/tools.ts";
import { leaveOutUnlistable } from "./listable-tool.ts";

/** Makes an MCP server of tools that run in this process, for the `mcpServers` option. */
export function createSdkMcpServer(options: SdkMcpServerOptions): McpSdkServerConfigWithInstance {
  const { name, version = "1.0.0", tools, instructions, alwaysLoad, timeout } = options;
  const instance = new McpServer(
    { name, version },
    {
      capabilities: tools ? { tools: {} } : {},
      ...(instructions !== undefined && { instructions }),
    },
  );
  for (const { name: toolName, description, inputSchema, annotations, _meta, handler } of tools ?? []) {
    const meta = alwaysLoad ? { "anthropic/alwaysLoad": true, ..._meta } : _meta;
    const registered = instance.registerTool(
      toolName,
      {
        description,
        inputSchema,
        ...(annotations && { annotations }),
        ...(meta && { _meta: meta }),
      },
      handler,
    );
    leaveOutUnlistable(name, toolName, registered);
  }
  const valid = typeof timeout === "number" && Number.isInteger(timeout) && timeout > 0;
  return { type: "sdk", name, instance, ...(valid && { timeout }) };
}
