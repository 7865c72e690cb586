export type { HookEvent, PermissionMode } from "@agentwire/protocol";
export { type AgentFacts, examineAgent } from "./agent/agent-version.ts";
export { commandOf, type FoundAgent, findAgent } from "./agent/find-agent.ts";
export { AbortError, HOST_ERRORS, HostError, type HostErrorCode } from "./errors.ts";
export { createSdkMcpServer } from "./hosted/create-sdk-mcp-server.ts";
export { tool } from "./hosted/tool.ts";
export { DEFAULT_DEADLINES, type Deadlines } from "./link/deadlines.ts";
export type { Ending, RequestOptions, Said } from "./link/link.ts";
export { Recorder } from "./link/recorder.ts";
export { prewarm } from "./query/prewarm.ts";
export { query } from "./query/start-query.ts";
export { startup } from "./query/startup.ts";
export type { AgentDefinition, AgentInfo, AgentMcpServerSpec, EffortLevel } from "./sdk/agents.ts";
export { BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAME_ALIASES } from "./sdk/builtin-tools.ts";
export type {
  AccountInfo,
  FastModeDisabledReason,
  FastModeState,
  ModelInfo,
  SDKSettingsParseError,
  SdkBeta,
  SdkPluginConfig,
  SlashCommand,
} from "./sdk/catalog.ts";
export type {
  RewindFilesResult,
  SDKControlInitializeResponse,
  SDKControlInterruptResponse,
  SDKControlListPermissionRulesResponse,
  SDKControlMcpReadResourceResponse,
  SDKControlPermissionRulesState,
  SDKControlReadFileResponse,
  SDKControlReloadOutputStylesResponse,
  SDKControlReloadPluginsResponse,
  SDKControlReloadSkillsResponse,
  SDKPermissionRuleDescription,
  SDKPermissionRuleEntry,
  SDKPermissionWorkspaceDirectory,
} from "./sdk/control-answers.ts";
export type { SDKControlRequest, SDKControlResponse } from "./sdk/control-messages.ts";
export type {
  SDKAssistantMessage,
  SDKAssistantMessageError,
  SDKMessageOrigin,
  SDKPartialAssistantMessage,
  SDKUserMessage,
  SDKUserMessageReplay,
} from "./sdk/conversation-messages.ts";
export type { BaseHookInput } from "./sdk/hooks/base.ts";
export type { HookCallback, HookCallbackMatcher } from "./sdk/hooks/callback.ts";
export { HOOK_EVENTS } from "./sdk/hooks/events.ts";
export type { HookInput } from "./sdk/hooks/inputs.ts";
export type {
  AsyncHookJSONOutput,
  CwdChangedHookSpecificOutput,
  ElicitationHookSpecificOutput,
  ElicitationResultHookSpecificOutput,
  FileChangedHookSpecificOutput,
  HookJSONOutput,
  HookPermissionDecision,
  MessageDisplayHookSpecificOutput,
  NotificationHookSpecificOutput,
  PermissionDeniedHookSpecificOutput,
  PermissionRequestHookSpecificOutput,
  PostModelSwitchHookSpecificOutput,
  PostToolBatchHookSpecificOutput,
  PostToolUseFailureHookSpecificOutput,
  PostToolUseHookSpecificOutput,
  PreModelSwitchHookSpecificOutput,
  PreToolUseHookSpecificOutput,
  SessionStartHookSpecificOutput,
  SetupHookSpecificOutput,
  StopHookSpecificOutput,
  SubagentStartHookSpecificOutput,
  SubagentStopHookSpecificOutput,
  SyncHookJSONOutput,
  UserPromptExpansionHookSpecificOutput,
  UserPromptSubmitHookSpecificOutput,
  WorktreeCreateHookSpecificOutput,
} from "./sdk/hooks/outputs.ts";
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
export type {
  BackgroundTaskSummary,
  MessageDisplayHookInput,
  NotificationHookInput,
  PermissionDeniedHookInput,
  PermissionRequestHookInput,
  PostToolBatchHookInput,
  PostToolBatchToolCall,
  PostToolUseFailureHookInput,
  PostToolUseHookInput,
  PreToolUseHookInput,
  SessionCronSummary,
  StopFailureHookInput,
  StopHookInput,
  SubagentStartHookInput,
  SubagentStopHookInput,
  UserPromptExpansionHookInput,
  UserPromptSubmitHookInput,
} from "./sdk/hooks/turn-inputs.ts";
export type {
  CwdChangedHookInput,
  DirectoryAddedHookInput,
  ElicitationHookInput,
  ElicitationResultHookInput,
  FileChangedHookInput,
  TaskCompletedHookInput,
  TaskCreatedHookInput,
  TeammateIdleHookInput,
  WorktreeCreateHookInput,
  WorktreeRemoveHookInput,
} from "./sdk/hooks/workspace-inputs.ts";
export {
  ORG_POLICY_LIMIT_PREFIXES,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
} from "./sdk/limit-texts.ts";
export type {
  McpClaudeAIProxyServerConfig,
  McpHttpServerConfig,
  McpSdkServerConfig,
  McpSdkServerConfigWithInstance,
  McpServerConfig,
  McpServerConfigForProcessTransport,
  McpServerStatus,
  McpServerStatusConfig,
  McpServerToolPolicy,
  McpSetServersResult,
  McpSSEServerConfig,
  McpStdioServerConfig,
  SDKMcpResourceLink,
} from "./sdk/mcp.ts";
export type { SDKMessage } from "./sdk/messages.ts";
export type {
  SDKElicitationCompleteMessage,
  SDKFilesPersistedEvent,
  SDKInformationalMessage,
  SDKLocalCommandOutputMessage,
  SDKMemoryRecallMessage,
  SDKNotificationMessage,
  SDKPermissionDeniedMessage,
  SDKPromptSuggestionMessage,
} from "./sdk/notice-messages.ts";
export type {
  BaseOutputFormat,
  JsonSchemaOutputFormat,
  Options,
  OutputFormat,
  OutputFormatType,
  ThinkingAdaptive,
  ThinkingConfig,
  ThinkingDisabled,
  ThinkingEnabled,
  ToolConfig,
} from "./sdk/options.ts";
export type { OwnOptions, QueryOptions } from "./sdk/own-options.ts";
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
export type { SpawnedProcess, SpawnOptions } from "./sdk/process.ts";
export type {
  SDKBackgroundTasksChangedMessage,
  SDKControlRequestProgressMessage,
  SDKHookProgressMessage,
  SDKHookResponseMessage,
  SDKHookStartedMessage,
  SDKPluginInstallMessage,
  SDKTaskNotificationMessage,
  SDKTaskProgressMessage,
  SDKTaskStartedMessage,
  SDKTaskUpdatedMessage,
  SDKThinkingTokensMessage,
  SDKToolProgressMessage,
  SDKToolUseSummaryMessage,
} from "./sdk/progress-messages.ts";
export { SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from "./sdk/prompt-boundary.ts";
export type { ClaimOptions, Query, SpareProcess, WarmQuery } from "./sdk/query.ts";
export type {
  ElicitationRequest,
  ElicitationResult,
  OnElicitation,
  OnUserDialog,
  UserDialogRequest,
  UserDialogResult,
} from "./sdk/questions.ts";
export type {
  DeniedModelsMatch,
  PolicySettingsOrigin,
  ProvenanceEntry,
  ResolvedSettingSource,
  ResolvedSettings,
  ResolveSettingsOptions,
} from "./sdk/resolved-settings.ts";
export type {
  SDKDeferredToolUse,
  SDKPermissionDenial,
  SDKResultError,
  SDKResultMessage,
  SDKResultSuccess,
  SDKStartupFailureReason,
  TerminalReason,
} from "./sdk/result-messages.ts";
export type {
  SandboxCredentialsConfig,
  SandboxFilesystemConfig,
  SandboxIgnoreViolations,
  SandboxNetworkConfig,
  SandboxSettings,
} from "./sdk/sandbox.ts";
export type {
  ApiKeySource,
  SDKActiveGoalMessage,
  SDKAPIRetryMessage,
  SDKAuthStatusMessage,
  SDKCommandsChangedMessage,
  SDKCompactBoundaryMessage,
  SDKConversationResetMessage,
  SDKMirrorErrorMessage,
  SDKModelRefusalFallbackMessage,
  SDKModelRefusalNoFallbackMessage,
  SDKRateLimitEvent,
  SDKSessionStateChangedMessage,
  SDKSessionWritesLostMessage,
  SDKStatus,
  SDKStatusMessage,
  SDKSystemMessage,
  SDKWorkerShuttingDownMessage,
} from "./sdk/session-messages.ts";
export type {
  ForkSessionOptions,
  ForkSessionResult,
  GetSessionInfoOptions,
  GetSessionMessagesOptions,
  GetSubagentMessagesOptions,
  ImportSessionToStoreOptions,
  ListSessionsOptions,
  ListSubagentsOptions,
  SDKSessionInfo,
  SessionKey,
  SessionMessage,
  SessionMutationOptions,
  SessionStore,
  SessionStoreEntry,
  SessionStoreFlush,
  SessionSummaryEntry,
} from "./sdk/sessions.ts";
export type { ConfigScope, SettingSource, Settings } from "./sdk/settings.ts";
export type { AnyZodRawShape, InferShape, SdkMcpToolDefinition } from "./sdk/tools.ts";
export type { Transport } from "./sdk/transport.ts";
export type {
  ModelUsage,
  NonNullableUsage,
  SDKContextUsage,
  SDKContextUsageCategory,
  SDKRateLimitInfo,
  SDKUsageReport,
} from "./sdk/usage.ts";
export type { SDKControlGetContextUsageResponse, SDKControlGetUsageResponse } from "./sdk/usage-answers.ts";
export type { PermissionHandler, PermissionRequest, Question } from "./session/questions.ts";
export { openSession, Session } from "./session/session.ts";
export type { SessionAgent, SessionOptions } from "./session/session-options.ts";
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
