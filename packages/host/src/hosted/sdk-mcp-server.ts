import process from "node:process";
import { errorMessage } from "@agentwire/protocol/support";
import { McpServer, type RegisteredTool } from "@modelcontextprotocol/sdk/server/mcp.js";
import { normalizeObjectSchema } from "@modelcontextprotocol/sdk/server/zod-compat.js";
import { toJsonSchemaCompat } from "@modelcontextprotocol/sdk/server/zod-json-schema-compat.js";
import type { McpSdkServerConfigWithInstance } from "../sdk/mcp.ts";
import type {
  AnyZodRawShape,
  SdkMcpServerOptions,
  SdkMcpToolDefinition,
  ToolExtras,
  ToolHandler,
} from "../sdk/tools.ts";

/** Defines a tool that runs in this process; `createSdkMcpServer` makes it available to the agent. */
export function tool<Schema extends AnyZodRawShape>(
  name: string,
  description: string,
  inputSchema: Schema,
  handler: ToolHandler<Schema>,
  extras: ToolExtras = {},
): SdkMcpToolDefinition<Schema> {
  const { annotations, searchHint, alwaysLoad } = extras;
  const meta = {
    ...(searchHint && { "anthropic/searchHint": searchHint }),
    ...(alwaysLoad && { "anthropic/alwaysLoad": true }),
  };
  return {
    name,
    description,
    inputSchema,
    handler,
    ...(annotations && { annotations }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
}

/** Creates an MCP server from tools that run in this process, for the `mcpServers` option. */
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

const WARNING = "CLAUDE_SDK_MCP_TOOL_SCHEMA_UNCONVERTIBLE";

/**
 * Makes a server omit a tool whose input can't be converted to JSON Schema, with a warning; otherwise the MCP library could list
 * none of its tools. Checked only when the list is requested, as a schema may refer to one that is defined later.
 */
function leaveOutUnlistable(server: string, name: string, tool: RegisteredTool): void {
  let { enabled } = tool;
  let hasWarned = false;
  Object.defineProperty(tool, "enabled", {
    configurable: true,
    enumerable: true,
    get: () => {
      if (!enabled) return false;
      const fault = faultOf(tool.inputSchema);
      if (fault === undefined) return true;
      if (!hasWarned)
        process.emitWarning(`the tool ${name} of ${server} was left out: ${fault}`, { code: WARNING });
      hasWarned = true;
      return false;
    },
    set: (value: boolean) => {
      enabled = value;
    },
  });
}

function faultOf(schema: RegisteredTool["inputSchema"]): string | undefined {
  try {
    const input = normalizeObjectSchema(schema);
    if (input) toJsonSchemaCompat(input, { strictUnions: true, pipeStrategy: "input" });
    return undefined;
  } catch (error) {
    return `its input can't be converted to JSON Schema (${errorMessage(error)})`;
  }
}
