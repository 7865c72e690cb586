import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { McpServers } from "../mcp/servers.ts";
import type { CanUseTool } from "../permission/can-use-tool.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Workspace } from "../tools/workspace.ts";

/** Puts a permission question to an MCP tool in place of the host; it answers with the same JSON, as text. */
export async function askPermissionTool(
  name: string,
  mcp: McpServers,
  workspace: Workspace,
  request: CanUseTool,
  signal: AbortSignal,
): Promise<JsonObject> {
  const tool = mcp.tools().find((known) => known.name === name);
  if (!tool) throw new Error(`the permission prompt tool ${name} was not found among the MCP tools`);
  const { tool_name, input, tool_use_id } = request;
  const context: ToolContext = { callId: `permission-${tool_use_id}`, workspace, signal };
  const { content, isError } = await tool.run({ tool_name, input, tool_use_id }, context);
  const text = typeof content === "string" ? content : content.map(textOf).join("");
  if (isError) throw new Error(text);
  const answer: unknown = JSON.parse(text);
  if (!isJsonObject(answer)) throw new Error(`${name} did not answer with a JSON object`);
  return answer;
}

const textOf = (block: { readonly type: string; readonly text?: unknown }) =>
  block.type === "text" && typeof block.text === "string" ? block.text : "";
