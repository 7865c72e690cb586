import { array } from "../schema/collection.ts";
import { object, optional } from "../schema/object.ts";
import { boolean, literal, nullable, string } from "../schema/scalar.ts";
import type { Schema } from "../schema/schema.ts";
import { either, lazy, type Variants, variants } from "../schema/union.ts";
import type { Unknown } from "../schema/unknown.ts";
import {
  type McpToolUseBlock,
  mcpToolUseBlock,
  type RedactedThinkingBlock,
  redactedThinkingBlock,
  type SearchResultBlock,
  type ServerToolResultBlock,
  type ServerToolUseBlock,
  searchResultBlock,
  serverToolResultBlocks,
  serverToolUseBlock,
  type TextBlock,
  type ThinkingBlock,
  type ToolReferenceBlock,
  type ToolUseBlock,
  textBlock,
  thinkingBlock,
  toolReferenceBlock,
  toolUseBlock,
} from "./blocks.ts";
import { type DocumentBlock, documentBlock, type ImageBlock, imageBlock } from "./media.ts";

/** The text of a message, or its blocks. */
export type MessageContent = string | ContentBlock[];

/** The text of a message or of a list of its blocks, one line or more per block. */
export function contentText(content: string | readonly ContentBlock[] | null | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

/** What a tool returned, addressed to the `tool_use` that called it. */
export interface ToolResultBlock {
  type: "tool_result";
  tool_use_id: string;
  content?: MessageContent | null;
  /** Absent means false. */
  is_error?: boolean;
}

/** The same for an MCP server that the model's provider is connected to. */
export interface McpToolResultBlock extends Omit<ToolResultBlock, "type"> {
  type: "mcp_tool_result";
}

type KnownBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ServerToolUseBlock
  | McpToolUseBlock
  | ToolReferenceBlock
  | ToolResultBlock
  | McpToolResultBlock
  | ServerToolResultBlock
  | SearchResultBlock
  | ImageBlock
  | DocumentBlock;

/** One piece of a message, of either role. */
export type ContentBlock = KnownBlock | Unknown;

/** The text of a message, or its blocks. */
export const messageContent: Schema<MessageContent> = either(
  string,
  array(lazy("ContentBlock", () => contentBlock)),
);

const resultFields = {
  tool_use_id: string,
  content: optional(nullable(messageContent)),
  is_error: optional(boolean, "absent is false"),
};

const toolResultBlock: Schema<ToolResultBlock> = object({
  type: literal("tool_result"),
  ...resultFields,
});

/** One piece of a message, of either role. */
export const contentBlock: Variants<KnownBlock> = variants("ContentBlock", "type", {
  text: textBlock,
  thinking: thinkingBlock,
  redacted_thinking: redactedThinkingBlock,
  tool_use: toolUseBlock,
  server_tool_use: serverToolUseBlock,
  mcp_tool_use: mcpToolUseBlock,
  tool_reference: toolReferenceBlock,
  tool_result: toolResultBlock,
  mcp_tool_result: object({ type: literal("mcp_tool_result"), ...resultFields }),
  ...serverToolResultBlocks,
  search_result: searchResultBlock,
  image: imageBlock,
  document: documentBlock,
});
