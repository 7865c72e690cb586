import { isJsonObject } from "@agentwire/protocol";
import type { ModelMessage, ModelTool } from "../model/model.ts";
import { deferredTools } from "../tools/session/tool-search.ts";
import type { Tool } from "../tools/tool.ts";
import { webSearchDeclaration } from "../tools/web-search.ts";

/**
 * The tools for the model in a conversation: all except the deferred ones, then those that it has found so far. The provider
 * refuses a conversation that refers to a missing tool, so a tool that no longer exists is sent marked as unavailable.
 */
export function modelTools(
  tools: ReadonlyMap<string, Tool>,
  messages: readonly ModelMessage[],
): readonly ModelTool[] {
  const found = foundTools(messages);
  const hidden = new Set([...deferredTools(tools).map(({ name }) => name), ...found]);
  const shown = [...tools.values()].filter(({ name }) => !hidden.has(name)).map(declaration);
  return [
    ...shown,
    ...[...found].map((name) => ({ ...declared(tools.get(name), name), defer_loading: true })),
  ];
}

/** The deferred tools that the model has not found yet. */
export function unfoundTools(
  tools: ReadonlyMap<string, Tool>,
  messages: readonly ModelMessage[],
): readonly ModelTool[] {
  const found = foundTools(messages);
  return deferredTools(tools)
    .filter(({ name }) => !found.has(name))
    .map(declaration);
}

/** The names of the tools found by searches in a conversation, in order. */
function foundTools(messages: readonly ModelMessage[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { role, content } of messages) {
    if (role !== "user" || typeof content === "string") continue;
    for (const block of content) {
      if (block.type !== "tool_result" || !Array.isArray(block.content)) continue;
      for (const part of block.content as readonly unknown[]) {
        if (isJsonObject(part) && part.type === "tool_reference" && typeof part.tool_name === "string")
          names.add(part.tool_name);
      }
    }
  }
  return names;
}

const declared = (tool: Tool | undefined, name: string): ModelTool =>
  tool ? declaration(tool) : { name, description: "No longer available.", input_schema: { type: "object" } };

function declaration(tool: Tool): ModelTool {
  return tool.name === "WebSearch"
    ? webSearchDeclaration
    : { name: tool.name, description: tool.description, input_schema: tool.inputSchema };
}
