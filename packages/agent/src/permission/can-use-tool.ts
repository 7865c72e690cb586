import type { agentRequests, RequestOf } from "@agentwire/protocol/control";
import { currentToolName, type GivenRule, type PermissionUpdate } from "@agentwire/protocol/permission";
import { INTERACTIVE_TOOLS } from "./evaluate.ts";
import type { AskEvaluation } from "./evaluation.ts";
import type { PermissionQuestion } from "./gate.ts";

/** The question sent to a host, without its tag. */
export type CanUseTool = RequestOf<typeof agentRequests, "can_use_tool">;

/** The MCP server that a tool belongs to, as reported to hosts. */
export type McpServerOf = (toolName: string) => CanUseTool["mcp_server"];

/** Builds the question for the host. */
export function canUseTool(
  { tool, input, callId, workspace, agentId }: PermissionQuestion,
  { reasonType, reason, rule, blocked, isGrave }: AskEvaluation,
  suggestions: readonly PermissionUpdate[],
  mcpServerOf: McpServerOf | undefined,
): CanUseTool {
  const isSafety = reasonType === "safetyCheck";
  return withoutAbsent({
    tool_name: tool.name,
    mcp_server: mcpServerOf?.(tool.name),
    display_name: displayName(tool.name),
    input,
    description: tool.describe?.(input, workspace),
    permission_suggestions: suggestions.length > 0 || isSafety ? [...suggestions] : undefined,
    // A file tool already names the path in its input.
    blocked_path: tool.name === "Bash" ? blocked?.path : undefined,
    decision_reason: reason,
    decision_reason_type: reasonType,
    matched_ask_rule: rule && askRule(rule),
    classifier_approvable: isSafety ? !isGrave : undefined,
    suppress_always_allow_rule: isGrave,
    tool_use_id: callId,
    agent_id: agentId,
    requires_user_interaction: INTERACTIVE_TOOLS.has(currentToolName(tool.name)) || undefined,
  });
}

function askRule({ rule, source = "" }: GivenRule): NonNullable<CanUseTool["matched_ask_rule"]> {
  return withoutAbsent({ source, tool_name: rule.toolName, rule_content: rule.content });
}

function displayName(toolName: string): string {
  const own = /^mcp__.+?__(.+)$/.exec(toolName)?.[1];
  if (own === undefined) return toolName;
  const words = own.replace(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// Keys with undefined values are absent on the wire; omit them here too, for callers that compare requests.
function withoutAbsent<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}
