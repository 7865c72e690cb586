import { array } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { anything, jsonObject, literal, nullable, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";

/** Plain text of either role. */
export const textBlock = object({
  type: literal("text"),
  text: string,
  citations: optional(nullable(array(jsonObject))),
});

/** Plain text of either role. */
export type TextBlock = Infer<typeof textBlock>;

/** What the model thought before it answered. */
export const thinkingBlock = object({
  type: literal("thinking"),
  thinking: string,
  signature: defaulted(string, "", "returned to the model unchanged; empty if the agent does not sign"),
});

/** What the model thought before it answered. */
export type ThinkingBlock = Infer<typeof thinkingBlock>;

/** Thinking that the model's provider keeps encrypted. */
export const redactedThinkingBlock = object({ type: literal("redacted_thinking"), data: string });

/** Thinking that the model's provider keeps encrypted. */
export type RedactedThinkingBlock = Infer<typeof redactedThinkingBlock>;

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

/** The provider's tools share one shape; what is in `content` depends on the tool and may be an error. */
const resultOf = <const Type extends string>(type: Type) =>
  object({ type: literal(type), tool_use_id: string, content: anything });

/** The results of tools that run at the model's provider, by block type. */
export const serverToolResultBlocks = {
  web_search_tool_result: resultOf("web_search_tool_result"),
  web_fetch_tool_result: resultOf("web_fetch_tool_result"),
  tool_search_tool_result: resultOf("tool_search_tool_result"),
  code_execution_tool_result: resultOf("code_execution_tool_result"),
  bash_code_execution_tool_result: resultOf("bash_code_execution_tool_result"),
  text_editor_code_execution_tool_result: resultOf("text_editor_code_execution_tool_result"),
  advisor_tool_result: resultOf("advisor_tool_result"),
};

/** The result of one tool that runs at the model's provider. */
export type ServerToolResultBlock = Infer<
  (typeof serverToolResultBlocks)[keyof typeof serverToolResultBlocks]
>;

/** One hit of a search, in a form that the model can cite. */
export const searchResultBlock = object({
  type: literal("search_result"),
  source: string,
  title: defaulted(string, ""),
  content: array(textBlock),
});

/** One hit of a search, in a form that the model can cite. */
export type SearchResultBlock = Infer<typeof searchResultBlock>;
