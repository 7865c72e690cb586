import type * as ours from "@agentwire/host";
import type * as theirs from "@anthropic-ai/claude-agent-sdk";
import type { ZodString } from "zod";
import type { Fits, Same } from "./same-type.ts";

/** Every type of the official SDK except those of hooks, by name: each of ours is assignable to theirs and vice versa. */
type Types = {
  AccountInfo: Same<ours.AccountInfo, theirs.AccountInfo>;
  AgentDefinition: Same<ours.AgentDefinition, theirs.AgentDefinition>;
  AgentInfo: Same<ours.AgentInfo, theirs.AgentInfo>;
  AgentMcpServerSpec: Same<ours.AgentMcpServerSpec, theirs.AgentMcpServerSpec>;
  AnyZodRawShape: Same<ours.AnyZodRawShape, theirs.AnyZodRawShape>;
  ApiKeySource: Same<ours.ApiKeySource, theirs.ApiKeySource>;
  BackgroundTaskSummary: Same<ours.BackgroundTaskSummary, theirs.BackgroundTaskSummary>;
  BaseOutputFormat: Same<ours.BaseOutputFormat, theirs.BaseOutputFormat>;
  CanUseTool: Same<ours.CanUseTool, theirs.CanUseTool>;
  ClaimOptions: Same<ours.ClaimOptions, theirs.ClaimOptions>;
  ConfigScope: Same<ours.ConfigScope, theirs.ConfigScope>;
  DeniedModelsMatch: Same<ours.DeniedModelsMatch, theirs.DeniedModelsMatch>;
  EffortLevel: Same<ours.EffortLevel, theirs.EffortLevel>;
  ElicitationRequest: Same<ours.ElicitationRequest, theirs.ElicitationRequest>;
  ElicitationResult: Same<ours.ElicitationResult, theirs.ElicitationResult>;
  ExitReason: Same<ours.ExitReason, theirs.ExitReason>;
  FastModeDisabledReason: Same<ours.FastModeDisabledReason, theirs.FastModeDisabledReason>;
  FastModeState: Same<ours.FastModeState, theirs.FastModeState>;
  ForkSessionOptions: Same<ours.ForkSessionOptions, theirs.ForkSessionOptions>;
  ForkSessionResult: Same<ours.ForkSessionResult, theirs.ForkSessionResult>;
  GetSessionInfoOptions: Same<ours.GetSessionInfoOptions, theirs.GetSessionInfoOptions>;
  GetSessionMessagesOptions: Same<ours.GetSessionMessagesOptions, theirs.GetSessionMessagesOptions>;
  GetSubagentMessagesOptions: Same<ours.GetSubagentMessagesOptions, theirs.GetSubagentMessagesOptions>;
  ImportSessionToStoreOptions: Same<ours.ImportSessionToStoreOptions, theirs.ImportSessionToStoreOptions>;
  InferShape: Same<ours.InferShape<{ a: ZodString }>, theirs.InferShape<{ a: ZodString }>>;
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
  ModelInfo: Same<ours.ModelInfo, theirs.ModelInfo>;
  ModelUsage: Same<ours.ModelUsage, theirs.ModelUsage>;
  NonNullableUsage: Same<ours.NonNullableUsage, theirs.NonNullableUsage>;
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
  PermissionMode: Same<ours.PermissionMode, theirs.PermissionMode>;
  PermissionResult: Same<ours.PermissionResult, theirs.PermissionResult>;
  PermissionRuleValue: Same<ours.PermissionRuleValue, theirs.PermissionRuleValue>;
  PermissionUpdate: Same<ours.PermissionUpdate, theirs.PermissionUpdate>;
  PermissionUpdateDestination: Same<ours.PermissionUpdateDestination, theirs.PermissionUpdateDestination>;
  PolicySettingsOrigin: Same<ours.PolicySettingsOrigin, theirs.PolicySettingsOrigin>;
  PostToolBatchToolCall: Same<ours.PostToolBatchToolCall, theirs.PostToolBatchToolCall>;
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
  SessionKey: Same<ours.SessionKey, theirs.SessionKey>;
  SessionMessage: Same<ours.SessionMessage, theirs.SessionMessage>;
  SessionMutationOptions: Same<ours.SessionMutationOptions, theirs.SessionMutationOptions>;
  SessionStore: Same<ours.SessionStore, theirs.SessionStore>;
  SessionStoreEntry: Same<ours.SessionStoreEntry, theirs.SessionStoreEntry>;
  SessionStoreFlush: Same<ours.SessionStoreFlush, theirs.SessionStoreFlush>;
  SessionSummaryEntry: Same<ours.SessionSummaryEntry, theirs.SessionSummaryEntry>;
  SettingSource: Same<ours.SettingSource, theirs.SettingSource>;
  Settings: Same<ours.Settings, theirs.Settings>;
  SlashCommand: Same<ours.SlashCommand, theirs.SlashCommand>;
  SpareProcess: Same<ours.SpareProcess, theirs.SpareProcess>;
  SpawnOptions: Same<ours.SpawnOptions, theirs.SpawnOptions>;
  SpawnedProcess: Same<ours.SpawnedProcess, theirs.SpawnedProcess>;
  TerminalReason: Same<ours.TerminalReason, theirs.TerminalReason>;
  ThinkingAdaptive: Same<ours.ThinkingAdaptive, theirs.ThinkingAdaptive>;
  ThinkingConfig: Same<ours.ThinkingConfig, theirs.ThinkingConfig>;
  ThinkingDisabled: Same<ours.ThinkingDisabled, theirs.ThinkingDisabled>;
  ThinkingEnabled: Same<ours.ThinkingEnabled, theirs.ThinkingEnabled>;
  ToolConfig: Same<ours.ToolConfig, theirs.ToolConfig>;
  Transport: Same<ours.Transport, theirs.Transport>;
  UserDialogRequest: Same<ours.UserDialogRequest, theirs.UserDialogRequest>;
  UserDialogResult: Same<ours.UserDialogResult, theirs.UserDialogResult>;
  WarmQuery: Same<ours.WarmQuery, theirs.WarmQuery>;
};

/** If one of the types differs, compilation fails and names it. */
export type AllTypesFit = Fits<Types, Record<keyof Types, true>>;
