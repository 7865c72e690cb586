import type { hostRequests, ResponseOf } from "@agentwire/protocol/control";
import type { ProjectContext } from "../context/context.ts";
import type { ModelCall, ModelMessage, ModelTool } from "../model/model.ts";
import { unfoundTools } from "../turn/tool-loading.ts";
import type { SessionContext } from "./context.ts";
import { nextCall } from "./next-call.ts";

/** The answer to `get_context_usage`. */
export type ContextUsage = ResponseOf<typeof hostRequests, "get_context_usage">;

/** What fills the context window of a session. */
export async function contextUsage(session: SessionContext): Promise<ContextUsage> {
  const { files, history, models, systemPrompt, tools } = session;
  const context = await files.load();
  const { messages } = history;
  // A report must not fix the system prompt.
  const call = nextCall(session, (render) => systemPrompt.kept ?? render());
  return usageOf(call, messages, unfoundTools(tools(), messages), context, models.contextWindow);
}

/**
 * The use of the context window, estimated from the length of what the next call would send; `deferred` tools would be left out
 * of it.
 */
function usageOf(
  call: Omit<ModelCall, "messages">,
  messages: readonly ModelMessage[],
  deferred: readonly ModelTool[],
  context: ProjectContext,
  window: number,
): ContextUsage {
  const tokens = (value: unknown) =>
    Math.ceil((typeof value === "string" ? value : JSON.stringify(value)).length / 4);
  const [mcpTools, ownTools] = [call.tools.filter(isMcp), call.tools.filter((tool) => !isMcp(tool))];
  const memory = context.memoryFiles.map(({ path, type, content }) => ({
    path,
    type,
    tokens: tokens(content),
  }));
  const memoryTokens = memory.reduce((sum, file) => sum + file.tokens, 0);
  const used = [
    category("system_prompt", "System prompt", Math.max(0, tokens(call.system.join("\n")) - memoryTokens)),
    category("system_tools", "Tools", tokens(ownTools)),
    category("mcp_tools", "MCP tools", mcpTools.length > 0 ? tokens(mcpTools) : 0),
    category("memory_files", "Memory files", memoryTokens),
    category("messages", "Messages", messages.length > 0 ? tokens(messages) : 0),
  ];
  const total = used.reduce((sum, { tokens: part }) => sum + part, 0);
  return {
    categories: [
      ...used,
      ...(deferred.length > 0 ? [deferredCategory(tokens(deferred))] : []),
      { id: "free_space", name: "Free space", tokens: Math.max(0, window - total), color: "", kind: "free" },
    ],
    totalTokens: total,
    maxTokens: window,
    rawMaxTokens: window,
    percentage: Math.round((total / window) * 100),
    gridRows: [],
    model: call.model,
    memoryFiles: memory,
    mcpTools: [...mcpTools, ...deferred].map((tool, index) => ({
      name: tool.name,
      serverName: tool.name.split("__")[1] ?? "",
      tokens: tokens(tool),
      isLoaded: index < mcpTools.length,
    })),
    agents: [...context.agents].map(([agentType, { description }]) => ({
      agentType,
      source: "",
      tokens: tokens(description),
    })),
    isAutoCompactEnabled: true,
    apiUsage: null,
  };
}

/** The same report as text for people. */
export function contextText(usage: ContextUsage): string {
  const rows = usage.categories.map(({ name, tokens }) => `| ${name} | ${tokens} |`);
  return [
    `## Context`,
    "",
    `${usage.totalTokens} of ${usage.maxTokens} tokens (${usage.percentage} %), estimated, model ${usage.model}`,
    "",
    "| Part | Tokens |",
    "| --- | --- |",
    ...rows,
  ].join("\n");
}

const isMcp = ({ name }: { readonly name: string }) => name.startsWith("mcp__");
const deferredCategory = (tokens: number) => ({
  ...category("mcp_tools_deferred", "MCP tools (deferred)", tokens),
  kind: "deferred",
  isDeferred: true,
});
const category = (id: string, name: string, tokens: number) => ({
  id,
  name,
  tokens,
  color: "",
  kind: "used",
});
