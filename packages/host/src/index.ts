// Running an agent: one query, or a session that stays open.

export { type AgentPoolOptions, type Agents, createAgentPool } from "./query/create-agent-pool.ts";
export { prewarm } from "./query/prewarm.ts";
export { query } from "./query/start-query.ts";
export { startup } from "./query/startup.ts";
export type * from "./sdk/options.ts";
export { SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from "./sdk/options.ts";
export type { OwnOptions, QueryOptions } from "./sdk/own-options.ts";
export type * from "./sdk/process.ts";
export type { ClaimOptions, Query, SpareProcess, WarmQuery } from "./sdk/query.ts";
export type * from "./sdk/sandbox.ts";
export type * from "./sdk/transport.ts";
export type { PermissionHandler, PermissionRequest, Question } from "./session/questions.ts";
export { openSession, Session } from "./session/session.ts";
export type { SessionAgent, SessionOptions } from "./session/session-options.ts";

// Deadlines, how an agent ended, and errors.

export { DEFAULT_DEADLINES, type Deadlines } from "./deadlines.ts";
export { AbortError, HOST_ERRORS, HostError, type HostErrorCode } from "./errors.ts";
export type { AgentOutputMessage, Ending, RequestOptions } from "./link/link.ts";

// The messages that a query yields, and the answers of its methods.

export type * from "./sdk/catalog.ts";
export type * from "./sdk/control-answers.ts";
export type * from "./sdk/control-messages.ts";
export type {
  SDKAssistantMessage,
  SDKAssistantMessageError,
  SDKMessageOrigin,
  SDKPartialAssistantMessage,
  SDKUserMessage,
  SDKUserMessageReplay,
} from "./sdk/conversation-messages.ts";
export {
  ORG_POLICY_LIMIT_PREFIXES,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
} from "./sdk/limit-texts.ts";
export type * from "./sdk/messages.ts";
export type * from "./sdk/notice-messages.ts";
export type * from "./sdk/progress-messages.ts";
export type * from "./sdk/result-messages.ts";
export type * from "./sdk/session-messages.ts";
export type {
  ModelUsage,
  NonNullableUsage,
  SDKContextUsage,
  SDKContextUsageCategory,
  SDKRateLimitInfo,
  SDKUsageReport,
} from "./sdk/usage.ts";
export type * from "./sdk/usage-answers.ts";

// Permissions, and other questions of an agent.

export type { PermissionMode } from "@agentwire/protocol/permission";
export type {
  CanUseTool,
  McpServerProvenance,
  PermissionBehavior,
  PermissionDecisionClassification,
  PermissionResult,
  PermissionRuleValue,
  PermissionUpdate,
  PermissionUpdateDestination,
} from "./sdk/permissions.ts";
export type * from "./sdk/questions.ts";

// Tools, MCP servers and subagents of your own.

export { createSdkMcpServer, tool } from "./hosted/sdk-mcp-server.ts";
export type * from "./sdk/agents.ts";
export { BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAME_ALIASES } from "./sdk/builtin-tools.ts";
export type * from "./sdk/mcp.ts";
export type { AnyZodRawShape, InferShape, SdkMcpToolDefinition } from "./sdk/tools.ts";

// Hooks: their inputs and outputs.

export type { HookEvent } from "@agentwire/protocol/hooks";
export type { BaseHookInput } from "./sdk/hooks/base.ts";
export type * from "./sdk/hooks/callback.ts";
export { HOOK_EVENTS } from "./sdk/hooks/events.ts";
export type * from "./sdk/hooks/inputs.ts";
export type * from "./sdk/hooks/outputs.ts";
export {
  type ConfigChangeHookInput,
  EXIT_REASONS,
  type ExitReason,
  type InstructionsLoadedHookInput,
  type PostCompactHookInput,
  type PostModelSwitchHookInput,
  type PreCompactHookInput,
  type PreModelSwitchHookInput,
  type SessionEndHookInput,
  type SessionStartHookInput,
  type SetupHookInput,
} from "./sdk/hooks/session-inputs.ts";
export type * from "./sdk/hooks/turn-inputs.ts";
export type * from "./sdk/hooks/workspace-inputs.ts";

// Sessions on disk or in a store, and settings.

export type * from "./sdk/resolved-settings.ts";
export type * from "./sdk/sessions.ts";
export type * from "./sdk/settings.ts";
export {
  archiveSession,
  deleteSession,
  renameSession,
  tagSession,
  unarchiveSession,
} from "./session-files/change-sessions.ts";
export { forkSession } from "./session-files/fork-session.ts";
export { importSessionToStore } from "./session-files/import-session.ts";
export { InMemorySessionStore } from "./session-files/memory-store.ts";
export {
  getSessionInfo,
  getSessionMessages,
  getSubagentMessages,
  listSessions,
  listSubagents,
} from "./session-files/read-sessions.ts";
export { foldSessionSummary } from "./session-files/summary.ts";
export { filterEscalatingDefaultMode } from "./settings-files/default-mode.ts";
export { matchDeniedModels } from "./settings-files/denied-models.ts";
export { resolveSettings } from "./settings-files/resolve-settings.ts";
