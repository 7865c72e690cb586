import type * as ours from "@agentwire/host";
import type * as theirs from "@anthropic-ai/claude-agent-sdk";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { ZodString } from "zod";

type Opaque = AbortSignal | AbortController | McpServer | NodeJS.ReadableStream | NodeJS.WritableStream;

/** A type with every optional field required, all the way down: a field that only one side has would fit otherwise. */
type Full<T> = T extends Opaque
  ? T
  : T extends (...args: infer Args) => infer Result
    ? (...args: Full<Args>) => Full<Result>
    : T extends Promise<infer Value>
      ? Promise<Full<Value>>
      : T extends object
        ? { [Key in keyof T]-?: Full<T[Key]> }
        : T;

type Fits<Given extends Wanted, Wanted> = Given;

type Same<Ours, Theirs> = [Ours, Full<Ours>] extends [Theirs, Full<Theirs>]
  ? [Theirs, Full<Theirs>] extends [Ours, Full<Ours>]
    ? true
    : "theirs does not fit ours"
  : "ours does not fit theirs";

/** Every type of the official SDK, by its name: ours can be used for theirs, and theirs for ours. */
type Types = {
  AccountInfo: Same<ours.AccountInfo, theirs.AccountInfo>;
  AgentDefinition: Same<ours.AgentDefinition, theirs.AgentDefinition>;
  AgentInfo: Same<ours.AgentInfo, theirs.AgentInfo>;
  AgentMcpServerSpec: Same<ours.AgentMcpServerSpec, theirs.AgentMcpServerSpec>;
  AnyZodRawShape: Same<ours.AnyZodRawShape, theirs.AnyZodRawShape>;
  ApiKeySource: Same<ours.ApiKeySource, theirs.ApiKeySource>;
  AsyncHookJSONOutput: Same<ours.AsyncHookJSONOutput, theirs.AsyncHookJSONOutput>;
  BackgroundTaskSummary: Same<ours.BackgroundTaskSummary, theirs.BackgroundTaskSummary>;
  BaseHookInput: Same<ours.BaseHookInput, theirs.BaseHookInput>;
  BaseOutputFormat: Same<ours.BaseOutputFormat, theirs.BaseOutputFormat>;
  CanUseTool: Same<ours.CanUseTool, theirs.CanUseTool>;
  ClaimOptions: Same<ours.ClaimOptions, theirs.ClaimOptions>;
  ConfigChangeHookInput: Same<ours.ConfigChangeHookInput, theirs.ConfigChangeHookInput>;
  ConfigScope: Same<ours.ConfigScope, theirs.ConfigScope>;
  CwdChangedHookInput: Same<ours.CwdChangedHookInput, theirs.CwdChangedHookInput>;
  CwdChangedHookSpecificOutput: Same<ours.CwdChangedHookSpecificOutput, theirs.CwdChangedHookSpecificOutput>;
  DeniedModelsMatch: Same<ours.DeniedModelsMatch, theirs.DeniedModelsMatch>;
  DirectoryAddedHookInput: Same<ours.DirectoryAddedHookInput, theirs.DirectoryAddedHookInput>;
  EffortLevel: Same<ours.EffortLevel, theirs.EffortLevel>;
  ElicitationHookInput: Same<ours.ElicitationHookInput, theirs.ElicitationHookInput>;
  ElicitationHookSpecificOutput: Same<
    ours.ElicitationHookSpecificOutput,
    theirs.ElicitationHookSpecificOutput
  >;
  ElicitationRequest: Same<ours.ElicitationRequest, theirs.ElicitationRequest>;
  ElicitationResult: Same<ours.ElicitationResult, theirs.ElicitationResult>;
  ElicitationResultHookInput: Same<ours.ElicitationResultHookInput, theirs.ElicitationResultHookInput>;
  ElicitationResultHookSpecificOutput: Same<
    ours.ElicitationResultHookSpecificOutput,
    theirs.ElicitationResultHookSpecificOutput
  >;
  ExitReason: Same<ours.ExitReason, theirs.ExitReason>;
  FastModeDisabledReason: Same<ours.FastModeDisabledReason, theirs.FastModeDisabledReason>;
  FastModeState: Same<ours.FastModeState, theirs.FastModeState>;
  FileChangedHookInput: Same<ours.FileChangedHookInput, theirs.FileChangedHookInput>;
  FileChangedHookSpecificOutput: Same<
    ours.FileChangedHookSpecificOutput,
    theirs.FileChangedHookSpecificOutput
  >;
  ForkSessionOptions: Same<ours.ForkSessionOptions, theirs.ForkSessionOptions>;
  ForkSessionResult: Same<ours.ForkSessionResult, theirs.ForkSessionResult>;
  GetSessionInfoOptions: Same<ours.GetSessionInfoOptions, theirs.GetSessionInfoOptions>;
  GetSessionMessagesOptions: Same<ours.GetSessionMessagesOptions, theirs.GetSessionMessagesOptions>;
  GetSubagentMessagesOptions: Same<ours.GetSubagentMessagesOptions, theirs.GetSubagentMessagesOptions>;
  HookCallback: Same<ours.HookCallback, theirs.HookCallback>;
  HookCallbackMatcher: Same<ours.HookCallbackMatcher, theirs.HookCallbackMatcher>;
  HookEvent: Same<ours.HookEvent, theirs.HookEvent>;
  HookInput: Same<ours.HookInput, theirs.HookInput>;
  HookJSONOutput: Same<ours.HookJSONOutput, theirs.HookJSONOutput>;
  HookPermissionDecision: Same<ours.HookPermissionDecision, theirs.HookPermissionDecision>;
  ImportSessionToStoreOptions: Same<ours.ImportSessionToStoreOptions, theirs.ImportSessionToStoreOptions>;
  InferShape: Same<ours.InferShape<{ a: ZodString }>, theirs.InferShape<{ a: ZodString }>>;
  InstructionsLoadedHookInput: Same<ours.InstructionsLoadedHookInput, theirs.InstructionsLoadedHookInput>;
  JsonSchemaOutputFormat: Same<ours.JsonSchemaOutputFormat, theirs.JsonSchemaOutputFormat>;
  ListSessionsOptions: Same<ours.ListSessionsOptions, theirs.ListSessionsOptions>;
  ListSubagentsOptions: Same<ours.ListSubagentsOptions, theirs.ListSubagentsOptions>;
  McpClaudeAIProxyServerConfig: Same<ours.McpClaudeAIProxyServerConfig, theirs.McpClaudeAIProxyServerConfig>;
  McpHttpServerConfig: Same<ours.McpHttpServerConfig, theirs.McpHttpServerConfig>;
  McpSSEServerConfig: Same<ours.McpSSEServerConfig, theirs.McpSSEServerConfig>;
  McpSdkServerConfig: Same<ours.McpSdkServerConfig, theirs.McpSdkServerConfig>;
  McpSdkServerConfigWithInstance: Same<
    ours.McpSdkServerConfigWithInstance,
    theirs.McpSdkServerConfigWithInstance
  >;
  McpServerConfig: Same<ours.McpServerConfig, theirs.McpServerConfig>;
  McpServerConfigForProcessTransport: Same<
    ours.McpServerConfigForProcessTransport,
    theirs.McpServerConfigForProcessTransport
  >;
  McpServerProvenance: Same<ours.McpServerProvenance, theirs.McpServerProvenance>;
  McpServerStatus: Same<ours.McpServerStatus, theirs.McpServerStatus>;
  McpServerStatusConfig: Same<ours.McpServerStatusConfig, theirs.McpServerStatusConfig>;
  McpServerToolPolicy: Same<ours.McpServerToolPolicy, theirs.McpServerToolPolicy>;
  McpSetServersResult: Same<ours.McpSetServersResult, theirs.McpSetServersResult>;
  McpStdioServerConfig: Same<ours.McpStdioServerConfig, theirs.McpStdioServerConfig>;
  MessageDisplayHookInput: Same<ours.MessageDisplayHookInput, theirs.MessageDisplayHookInput>;
  MessageDisplayHookSpecificOutput: Same<
    ours.MessageDisplayHookSpecificOutput,
    theirs.MessageDisplayHookSpecificOutput
  >;
  ModelInfo: Same<ours.ModelInfo, theirs.ModelInfo>;
  ModelUsage: Same<ours.ModelUsage, theirs.ModelUsage>;
  NonNullableUsage: Same<ours.NonNullableUsage, theirs.NonNullableUsage>;
  NotificationHookInput: Same<ours.NotificationHookInput, theirs.NotificationHookInput>;
  NotificationHookSpecificOutput: Same<
    ours.NotificationHookSpecificOutput,
    theirs.NotificationHookSpecificOutput
  >;
  OnElicitation: Same<ours.OnElicitation, theirs.OnElicitation>;
  OnUserDialog: Same<ours.OnUserDialog, theirs.OnUserDialog>;
  Options: Same<ours.Options, theirs.Options>;
  OutputFormat: Same<ours.OutputFormat, theirs.OutputFormat>;
  OutputFormatType: Same<ours.OutputFormatType, theirs.OutputFormatType>;
  PermissionBehavior: Same<ours.PermissionBehavior, theirs.PermissionBehavior>;
  PermissionDecisionClassification: Same<
    ours.PermissionDecisionClassification,
    theirs.PermissionDecisionClassification
  >;
  PermissionDeniedHookInput: Same<ours.PermissionDeniedHookInput, theirs.PermissionDeniedHookInput>;
  PermissionDeniedHookSpecificOutput: Same<
    ours.PermissionDeniedHookSpecificOutput,
    theirs.PermissionDeniedHookSpecificOutput
  >;
  PermissionMode: Same<ours.PermissionMode, theirs.PermissionMode>;
  PermissionRequestHookInput: Same<ours.PermissionRequestHookInput, theirs.PermissionRequestHookInput>;
  PermissionRequestHookSpecificOutput: Same<
    ours.PermissionRequestHookSpecificOutput,
    theirs.PermissionRequestHookSpecificOutput
  >;
  PermissionResult: Same<ours.PermissionResult, theirs.PermissionResult>;
  PermissionRuleValue: Same<ours.PermissionRuleValue, theirs.PermissionRuleValue>;
  PermissionUpdate: Same<ours.PermissionUpdate, theirs.PermissionUpdate>;
  PermissionUpdateDestination: Same<ours.PermissionUpdateDestination, theirs.PermissionUpdateDestination>;
  PolicySettingsOrigin: Same<ours.PolicySettingsOrigin, theirs.PolicySettingsOrigin>;
  PostCompactHookInput: Same<ours.PostCompactHookInput, theirs.PostCompactHookInput>;
  PostModelSwitchHookInput: Same<ours.PostModelSwitchHookInput, theirs.PostModelSwitchHookInput>;
  PostModelSwitchHookSpecificOutput: Same<
    ours.PostModelSwitchHookSpecificOutput,
    theirs.PostModelSwitchHookSpecificOutput
  >;
  PostToolBatchHookInput: Same<ours.PostToolBatchHookInput, theirs.PostToolBatchHookInput>;
  PostToolBatchHookSpecificOutput: Same<
    ours.PostToolBatchHookSpecificOutput,
    theirs.PostToolBatchHookSpecificOutput
  >;
  PostToolBatchToolCall: Same<ours.PostToolBatchToolCall, theirs.PostToolBatchToolCall>;
  PostToolUseFailureHookInput: Same<ours.PostToolUseFailureHookInput, theirs.PostToolUseFailureHookInput>;
  PostToolUseFailureHookSpecificOutput: Same<
    ours.PostToolUseFailureHookSpecificOutput,
    theirs.PostToolUseFailureHookSpecificOutput
  >;
  PostToolUseHookInput: Same<ours.PostToolUseHookInput, theirs.PostToolUseHookInput>;
  PostToolUseHookSpecificOutput: Same<
    ours.PostToolUseHookSpecificOutput,
    theirs.PostToolUseHookSpecificOutput
  >;
  PreCompactHookInput: Same<ours.PreCompactHookInput, theirs.PreCompactHookInput>;
  PreModelSwitchHookInput: Same<ours.PreModelSwitchHookInput, theirs.PreModelSwitchHookInput>;
  PreModelSwitchHookSpecificOutput: Same<
    ours.PreModelSwitchHookSpecificOutput,
    theirs.PreModelSwitchHookSpecificOutput
  >;
  PreToolUseHookInput: Same<ours.PreToolUseHookInput, theirs.PreToolUseHookInput>;
  PreToolUseHookSpecificOutput: Same<ours.PreToolUseHookSpecificOutput, theirs.PreToolUseHookSpecificOutput>;
  ProvenanceEntry: Same<ours.ProvenanceEntry, theirs.ProvenanceEntry>;
  Query: Same<ours.Query, theirs.Query>;
  ResolveSettingsOptions: Same<ours.ResolveSettingsOptions, theirs.ResolveSettingsOptions>;
  ResolvedSettingSource: Same<ours.ResolvedSettingSource, theirs.ResolvedSettingSource>;
  ResolvedSettings: Same<ours.ResolvedSettings, theirs.ResolvedSettings>;
  RewindFilesResult: Same<ours.RewindFilesResult, theirs.RewindFilesResult>;
  SDKAPIRetryMessage: Same<ours.SDKAPIRetryMessage, theirs.SDKAPIRetryMessage>;
  SDKActiveGoalMessage: Same<ours.SDKActiveGoalMessage, theirs.SDKActiveGoalMessage>;
  SDKAssistantMessage: Same<ours.SDKAssistantMessage, theirs.SDKAssistantMessage>;
  SDKAssistantMessageError: Same<ours.SDKAssistantMessageError, theirs.SDKAssistantMessageError>;
  SDKAuthStatusMessage: Same<ours.SDKAuthStatusMessage, theirs.SDKAuthStatusMessage>;
  SDKBackgroundTasksChangedMessage: Same<
    ours.SDKBackgroundTasksChangedMessage,
    theirs.SDKBackgroundTasksChangedMessage
  >;
  SDKCommandsChangedMessage: Same<ours.SDKCommandsChangedMessage, theirs.SDKCommandsChangedMessage>;
  SDKCompactBoundaryMessage: Same<ours.SDKCompactBoundaryMessage, theirs.SDKCompactBoundaryMessage>;
  SDKContextUsage: Same<ours.SDKContextUsage, theirs.SDKContextUsage>;
  SDKContextUsageCategory: Same<ours.SDKContextUsageCategory, theirs.SDKContextUsageCategory>;
  SDKControlGetContextUsageResponse: Same<
    ours.SDKControlGetContextUsageResponse,
    theirs.SDKControlGetContextUsageResponse
  >;
  SDKControlGetUsageResponse: Same<ours.SDKControlGetUsageResponse, theirs.SDKControlGetUsageResponse>;
  SDKControlInitializeResponse: Same<ours.SDKControlInitializeResponse, theirs.SDKControlInitializeResponse>;
  SDKControlInterruptResponse: Same<ours.SDKControlInterruptResponse, theirs.SDKControlInterruptResponse>;
  SDKControlListPermissionRulesResponse: Same<
    ours.SDKControlListPermissionRulesResponse,
    theirs.SDKControlListPermissionRulesResponse
  >;
  SDKControlMcpReadResourceResponse: Same<
    ours.SDKControlMcpReadResourceResponse,
    theirs.SDKControlMcpReadResourceResponse
  >;
  SDKControlPermissionRulesState: Same<
    ours.SDKControlPermissionRulesState,
    theirs.SDKControlPermissionRulesState
  >;
  SDKControlReadFileResponse: Same<ours.SDKControlReadFileResponse, theirs.SDKControlReadFileResponse>;
  SDKControlReloadOutputStylesResponse: Same<
    ours.SDKControlReloadOutputStylesResponse,
    theirs.SDKControlReloadOutputStylesResponse
  >;
  SDKControlReloadPluginsResponse: Same<
    ours.SDKControlReloadPluginsResponse,
    theirs.SDKControlReloadPluginsResponse
  >;
  SDKControlReloadSkillsResponse: Same<
    ours.SDKControlReloadSkillsResponse,
    theirs.SDKControlReloadSkillsResponse
  >;
  SDKControlRequest: Same<ours.SDKControlRequest, theirs.SDKControlRequest>;
  SDKControlRequestProgressMessage: Same<
    ours.SDKControlRequestProgressMessage,
    theirs.SDKControlRequestProgressMessage
  >;
  SDKControlResponse: Same<ours.SDKControlResponse, theirs.SDKControlResponse>;
  SDKConversationResetMessage: Same<ours.SDKConversationResetMessage, theirs.SDKConversationResetMessage>;
  SDKDeferredToolUse: Same<ours.SDKDeferredToolUse, theirs.SDKDeferredToolUse>;
  SDKElicitationCompleteMessage: Same<
    ours.SDKElicitationCompleteMessage,
    theirs.SDKElicitationCompleteMessage
  >;
  SDKFilesPersistedEvent: Same<ours.SDKFilesPersistedEvent, theirs.SDKFilesPersistedEvent>;
  SDKHookProgressMessage: Same<ours.SDKHookProgressMessage, theirs.SDKHookProgressMessage>;
  SDKHookResponseMessage: Same<ours.SDKHookResponseMessage, theirs.SDKHookResponseMessage>;
  SDKHookStartedMessage: Same<ours.SDKHookStartedMessage, theirs.SDKHookStartedMessage>;
  SDKInformationalMessage: Same<ours.SDKInformationalMessage, theirs.SDKInformationalMessage>;
  SDKLocalCommandOutputMessage: Same<ours.SDKLocalCommandOutputMessage, theirs.SDKLocalCommandOutputMessage>;
  SDKMcpResourceLink: Same<ours.SDKMcpResourceLink, theirs.SDKMcpResourceLink>;
  SDKMemoryRecallMessage: Same<ours.SDKMemoryRecallMessage, theirs.SDKMemoryRecallMessage>;
  SDKMessage: Same<ours.SDKMessage, theirs.SDKMessage>;
  SDKMessageOrigin: Same<ours.SDKMessageOrigin, theirs.SDKMessageOrigin>;
  SDKMirrorErrorMessage: Same<ours.SDKMirrorErrorMessage, theirs.SDKMirrorErrorMessage>;
  SDKModelRefusalFallbackMessage: Same<
    ours.SDKModelRefusalFallbackMessage,
    theirs.SDKModelRefusalFallbackMessage
  >;
  SDKModelRefusalNoFallbackMessage: Same<
    ours.SDKModelRefusalNoFallbackMessage,
    theirs.SDKModelRefusalNoFallbackMessage
  >;
  SDKNotificationMessage: Same<ours.SDKNotificationMessage, theirs.SDKNotificationMessage>;
  SDKPartialAssistantMessage: Same<ours.SDKPartialAssistantMessage, theirs.SDKPartialAssistantMessage>;
  SDKPermissionDenial: Same<ours.SDKPermissionDenial, theirs.SDKPermissionDenial>;
  SDKPermissionDeniedMessage: Same<ours.SDKPermissionDeniedMessage, theirs.SDKPermissionDeniedMessage>;
  SDKPermissionRuleDescription: Same<ours.SDKPermissionRuleDescription, theirs.SDKPermissionRuleDescription>;
  SDKPermissionRuleEntry: Same<ours.SDKPermissionRuleEntry, theirs.SDKPermissionRuleEntry>;
  SDKPermissionWorkspaceDirectory: Same<
    ours.SDKPermissionWorkspaceDirectory,
    theirs.SDKPermissionWorkspaceDirectory
  >;
  SDKPluginInstallMessage: Same<ours.SDKPluginInstallMessage, theirs.SDKPluginInstallMessage>;
  SDKPromptSuggestionMessage: Same<ours.SDKPromptSuggestionMessage, theirs.SDKPromptSuggestionMessage>;
  SDKRateLimitEvent: Same<ours.SDKRateLimitEvent, theirs.SDKRateLimitEvent>;
  SDKRateLimitInfo: Same<ours.SDKRateLimitInfo, theirs.SDKRateLimitInfo>;
  SDKResultError: Same<ours.SDKResultError, theirs.SDKResultError>;
  SDKResultMessage: Same<ours.SDKResultMessage, theirs.SDKResultMessage>;
  SDKResultSuccess: Same<ours.SDKResultSuccess, theirs.SDKResultSuccess>;
  SDKSessionInfo: Same<ours.SDKSessionInfo, theirs.SDKSessionInfo>;
  SDKSessionStateChangedMessage: Same<
    ours.SDKSessionStateChangedMessage,
    theirs.SDKSessionStateChangedMessage
  >;
  SDKSessionWritesLostMessage: Same<ours.SDKSessionWritesLostMessage, theirs.SDKSessionWritesLostMessage>;
  SDKSettingsParseError: Same<ours.SDKSettingsParseError, theirs.SDKSettingsParseError>;
  SDKStartupFailureReason: Same<ours.SDKStartupFailureReason, theirs.SDKStartupFailureReason>;
  SDKStatus: Same<ours.SDKStatus, theirs.SDKStatus>;
  SDKStatusMessage: Same<ours.SDKStatusMessage, theirs.SDKStatusMessage>;
  SDKSystemMessage: Same<ours.SDKSystemMessage, theirs.SDKSystemMessage>;
  SDKTaskNotificationMessage: Same<ours.SDKTaskNotificationMessage, theirs.SDKTaskNotificationMessage>;
  SDKTaskProgressMessage: Same<ours.SDKTaskProgressMessage, theirs.SDKTaskProgressMessage>;
  SDKTaskStartedMessage: Same<ours.SDKTaskStartedMessage, theirs.SDKTaskStartedMessage>;
  SDKTaskUpdatedMessage: Same<ours.SDKTaskUpdatedMessage, theirs.SDKTaskUpdatedMessage>;
  SDKThinkingTokensMessage: Same<ours.SDKThinkingTokensMessage, theirs.SDKThinkingTokensMessage>;
  SDKToolProgressMessage: Same<ours.SDKToolProgressMessage, theirs.SDKToolProgressMessage>;
  SDKToolUseSummaryMessage: Same<ours.SDKToolUseSummaryMessage, theirs.SDKToolUseSummaryMessage>;
  SDKUsageReport: Same<ours.SDKUsageReport, theirs.SDKUsageReport>;
  SDKUserMessage: Same<ours.SDKUserMessage, theirs.SDKUserMessage>;
  SDKUserMessageReplay: Same<ours.SDKUserMessageReplay, theirs.SDKUserMessageReplay>;
  SDKWorkerShuttingDownMessage: Same<ours.SDKWorkerShuttingDownMessage, theirs.SDKWorkerShuttingDownMessage>;
  SandboxCredentialsConfig: Same<ours.SandboxCredentialsConfig, theirs.SandboxCredentialsConfig>;
  SandboxFilesystemConfig: Same<ours.SandboxFilesystemConfig, theirs.SandboxFilesystemConfig>;
  SandboxIgnoreViolations: Same<ours.SandboxIgnoreViolations, theirs.SandboxIgnoreViolations>;
  SandboxNetworkConfig: Same<ours.SandboxNetworkConfig, theirs.SandboxNetworkConfig>;
  SandboxSettings: Same<ours.SandboxSettings, theirs.SandboxSettings>;
  SdkBeta: Same<ours.SdkBeta, theirs.SdkBeta>;
  SdkMcpToolDefinition: Same<ours.SdkMcpToolDefinition, theirs.SdkMcpToolDefinition>;
  SdkPluginConfig: Same<ours.SdkPluginConfig, theirs.SdkPluginConfig>;
  SessionCronSummary: Same<ours.SessionCronSummary, theirs.SessionCronSummary>;
  SessionEndHookInput: Same<ours.SessionEndHookInput, theirs.SessionEndHookInput>;
  SessionKey: Same<ours.SessionKey, theirs.SessionKey>;
  SessionMessage: Same<ours.SessionMessage, theirs.SessionMessage>;
  SessionMutationOptions: Same<ours.SessionMutationOptions, theirs.SessionMutationOptions>;
  SessionStartHookInput: Same<ours.SessionStartHookInput, theirs.SessionStartHookInput>;
  SessionStartHookSpecificOutput: Same<
    ours.SessionStartHookSpecificOutput,
    theirs.SessionStartHookSpecificOutput
  >;
  SessionStore: Same<ours.SessionStore, theirs.SessionStore>;
  SessionStoreEntry: Same<ours.SessionStoreEntry, theirs.SessionStoreEntry>;
  SessionStoreFlush: Same<ours.SessionStoreFlush, theirs.SessionStoreFlush>;
  SessionSummaryEntry: Same<ours.SessionSummaryEntry, theirs.SessionSummaryEntry>;
  SettingSource: Same<ours.SettingSource, theirs.SettingSource>;
  Settings: Same<ours.Settings, theirs.Settings>;
  SetupHookInput: Same<ours.SetupHookInput, theirs.SetupHookInput>;
  SetupHookSpecificOutput: Same<ours.SetupHookSpecificOutput, theirs.SetupHookSpecificOutput>;
  SlashCommand: Same<ours.SlashCommand, theirs.SlashCommand>;
  SpareProcess: Same<ours.SpareProcess, theirs.SpareProcess>;
  SpawnOptions: Same<ours.SpawnOptions, theirs.SpawnOptions>;
  SpawnedProcess: Same<ours.SpawnedProcess, theirs.SpawnedProcess>;
  StopFailureHookInput: Same<ours.StopFailureHookInput, theirs.StopFailureHookInput>;
  StopHookInput: Same<ours.StopHookInput, theirs.StopHookInput>;
  StopHookSpecificOutput: Same<ours.StopHookSpecificOutput, theirs.StopHookSpecificOutput>;
  SubagentStartHookInput: Same<ours.SubagentStartHookInput, theirs.SubagentStartHookInput>;
  SubagentStartHookSpecificOutput: Same<
    ours.SubagentStartHookSpecificOutput,
    theirs.SubagentStartHookSpecificOutput
  >;
  SubagentStopHookInput: Same<ours.SubagentStopHookInput, theirs.SubagentStopHookInput>;
  SubagentStopHookSpecificOutput: Same<
    ours.SubagentStopHookSpecificOutput,
    theirs.SubagentStopHookSpecificOutput
  >;
  SyncHookJSONOutput: Same<ours.SyncHookJSONOutput, theirs.SyncHookJSONOutput>;
  TaskCompletedHookInput: Same<ours.TaskCompletedHookInput, theirs.TaskCompletedHookInput>;
  TaskCreatedHookInput: Same<ours.TaskCreatedHookInput, theirs.TaskCreatedHookInput>;
  TeammateIdleHookInput: Same<ours.TeammateIdleHookInput, theirs.TeammateIdleHookInput>;
  TerminalReason: Same<ours.TerminalReason, theirs.TerminalReason>;
  ThinkingAdaptive: Same<ours.ThinkingAdaptive, theirs.ThinkingAdaptive>;
  ThinkingConfig: Same<ours.ThinkingConfig, theirs.ThinkingConfig>;
  ThinkingDisabled: Same<ours.ThinkingDisabled, theirs.ThinkingDisabled>;
  ThinkingEnabled: Same<ours.ThinkingEnabled, theirs.ThinkingEnabled>;
  ToolConfig: Same<ours.ToolConfig, theirs.ToolConfig>;
  Transport: Same<ours.Transport, theirs.Transport>;
  UserDialogRequest: Same<ours.UserDialogRequest, theirs.UserDialogRequest>;
  UserDialogResult: Same<ours.UserDialogResult, theirs.UserDialogResult>;
  UserPromptExpansionHookInput: Same<ours.UserPromptExpansionHookInput, theirs.UserPromptExpansionHookInput>;
  UserPromptExpansionHookSpecificOutput: Same<
    ours.UserPromptExpansionHookSpecificOutput,
    theirs.UserPromptExpansionHookSpecificOutput
  >;
  UserPromptSubmitHookInput: Same<ours.UserPromptSubmitHookInput, theirs.UserPromptSubmitHookInput>;
  UserPromptSubmitHookSpecificOutput: Same<
    ours.UserPromptSubmitHookSpecificOutput,
    theirs.UserPromptSubmitHookSpecificOutput
  >;
  WarmQuery: Same<ours.WarmQuery, theirs.WarmQuery>;
  WorktreeCreateHookInput: Same<ours.WorktreeCreateHookInput, theirs.WorktreeCreateHookInput>;
  WorktreeCreateHookSpecificOutput: Same<
    ours.WorktreeCreateHookSpecificOutput,
    theirs.WorktreeCreateHookSpecificOutput
  >;
  WorktreeRemoveHookInput: Same<ours.WorktreeRemoveHookInput, theirs.WorktreeRemoveHookInput>;
};

/** Fails to compile, and names the types, when one of them is not the same. */
export type AllTypesFit = Fits<Types, Record<keyof Types, true>>;
