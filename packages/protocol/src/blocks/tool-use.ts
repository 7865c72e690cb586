import { defaulted, object } from "../schema/object.ts";
import { jsonObject, literal, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";

const input = defaulted(jsonObject, {}, "the arguments; empty in a `content_block_start`");

/** The model asks the agent to run a tool. */
export const toolUseBlock = object({ type: literal("tool_use"), id: string, name: string, input });

/** The model asks the agent to run a tool. */
export type ToolUseBlock = Infer<typeof toolUseBlock>;

/** The model uses a tool that runs at its provider; the agent has nothing to do. */
export const serverToolUseBlock = object({
  type: literal("server_tool_use"),
  id: string,
  name: string,
  input,
});

/** The model uses a tool that runs at its provider; the agent has nothing to do. */
export type ServerToolUseBlock = Infer<typeof serverToolUseBlock>;

/** The model uses a tool of an MCP server that its provider is connected to. */
export const mcpToolUseBlock = object({
  type: literal("mcp_tool_use"),
  id: string,
  name: string,
  server_name: defaulted(string, ""),
  input,
});

/** The model uses a tool of an MCP server that its provider is connected to. */
export type McpToolUseBlock = Infer<typeof mcpToolUseBlock>;

/** In the result of a tool search: a tool that the model may use from now on. */
export const toolReferenceBlock = object({ type: literal("tool_reference"), tool_name: string });

/** In the result of a tool search: a tool that the model may use from now on. */
export type ToolReferenceBlock = Infer<typeof toolReferenceBlock>;
