import process from "node:process";
import type { RegisteredTool } from "@modelcontextprotocol/sdk/server/mcp.js";
import { normalizeObjectSchema } from "@modelcontextprotocol/sdk/server/zod-compat.js";
import { toJsonSchemaCompat } from "@modelcontextprotocol/sdk/server/zod-json-schema-compat.js";

const WARNING = "CLAUDE_SDK_MCP_TOOL_SCHEMA_UNCONVERTIBLE";

/**
 * Has a server leave out a tool whose input has no JSON Schema, with a warning; else the library could list none of its tools.
 * It is tried when the list is asked for: a schema may refer to one that is defined later.
 */
export function leaveOutUnlistable(server: string, name: string, tool: RegisteredTool): void {
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
        process.emitWarning(`the tool ${name} of ${server} is left out: ${fault}`, { code: WARNING });
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
    return `its input can't be converted to JSON Schema (${error instanceof Error ? error.message : String(error)})`;
  }
}
