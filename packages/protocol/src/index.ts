export { type AgentName, CLAUDE_CODE } from "./agent-name.ts";
export type { Handlers, RequestContext } from "./answering.ts";
export { type ApiEvent, apiEvent, type BlockDelta } from "./api-event.ts";
export type { ApiMessage, StopReason } from "./api-message.ts";
export type { DocumentBlock, ImageBlock } from "./blocks/media.ts";
export type { SearchResultBlock } from "./blocks/search-result.ts";
export type { ServerToolResultBlock } from "./blocks/server-tool-result.ts";
export type { TextBlock } from "./blocks/text.ts";
export type { RedactedThinkingBlock, ThinkingBlock } from "./blocks/thinking.ts";
export type {
  McpToolUseBlock,
  ServerToolUseBlock,
  ToolReferenceBlock,
  ToolUseBlock,
} from "./blocks/tool-use.ts";
export { capabilitiesOf, FEATURES, type FeatureName, newCapabilities, supports } from "./capabilities.ts";
export {
  type CompatibilityVerdict,
  checkCompatibility,
  matrixRow,
  type VersionProbe,
} from "./compatibility.ts";
export { COMPATIBILITY_LEVELS, type CompatibilityLevel } from "./compatibility-level.ts";
export { COMPATIBILITY_MATRIX, type MatrixRow, OUR_PROGRAM } from "./compatibility-matrix.ts";
export { Connection } from "./connection.ts";
export type { ConnectionOptions, MisreadFacts } from "./connection-options.ts";
export {
  type ContentBlock,
  contentBlock,
  type McpToolResultBlock,
  type MessageContent,
  messageContent,
  type ToolResultBlock,
} from "./content.ts";
export type { AccountInfo, AgentInfo, ModelInfo } from "./control/catalog.ts";
export {
  agentControlRequest,
  type ControlCancelRequest,
  type ControlRequest,
  type ControlResponse,
  controlCancelRequest,
  controlResponse,
  hostControlRequest,
} from "./control/envelope.ts";
export { type ControlErrorCode, ERROR_CODES, unsupportedRequest } from "./control/error-codes.ts";
export type { AgentDefinition } from "./control/host-requests/agent-definition.ts";
export type { McpServerConfig, McpServerStatus } from "./control/mcp-server.ts";
export { type RequestReading, readAgentRequest, readHostRequest } from "./control/read-request.ts";
export { type ResponseReading, readResponse } from "./control/read-response.ts";
export type {
  AnyRequest,
  RequestOf,
  RequestShape,
  RequestTable,
  ResponseOf,
} from "./control/request-table.ts";
export {
  type AgentRequest,
  agentRequest,
  agentRequests,
  type HostRequest,
  hostRequest,
  hostRequests,
} from "./control/tables.ts";
export { after, MAX_TIMER_MS, within } from "./deadline.ts";
export { rawMessage, readMessage, type Sink } from "./decode.ts";
export {
  Degradation,
  type DegradationCounters,
  type DegradationNotice,
  missingFeatures,
  type OfferedTools,
  type ParseFailure,
} from "./degradation.ts";
export { DEPRECATIONS, type Deprecation, deprecationsFor, type ObservedFact } from "./deprecation.ts";
export {
  DIALECTS,
  dialectByName,
  dialectForVersion,
  dialectFromFlags,
  dialectOfAgentLine,
  dialectOfHostLine,
} from "./dialect/choose.ts";
export { detecting } from "./dialect/detect.ts";
export type { Dialect, DialectName, Translation, UnknownHandling } from "./dialect/dialect.ts";
export { encodeLine } from "./encode.ts";
export {
  type AgentConnection,
  type AgentConnectionOptions,
  connectToAgent,
  connectToHost,
  type HostConnection,
  type HostConnectionOptions,
} from "./ends.ts";
export {
  PROTOCOL_ERRORS,
  ProtocolError,
  type ProtocolErrorCode,
  type ProtocolErrorOptions,
} from "./errors.ts";
export { EXIT_CODES, type ExitCode } from "./exit-codes.ts";
export {
  HOOK_EVENTS,
  type HookEvent,
  type HookInput,
  hookEvents,
  hookInput,
  hookShapes,
} from "./hooks/events.ts";
export type { HookRegistration } from "./hooks/initialize-hooks.ts";
export { compileMatcher, type HookMatcher, matchedNames } from "./hooks/matcher.ts";
export { type HookOutput, type HookOutputReading, hookOutput, readHookOutput } from "./hooks/output.ts";
export type { HookShape } from "./hooks/shape.ts";
export { isJsonObject, type JsonObject, MAX_DEPTH, nestsDeeperThan } from "./json.ts";
export { BadLine, DEFAULT_MAX_LINE_BYTES, type Line, LineSplitter, readLines } from "./lines.ts";
export { jsonLog, type Log, type LogFields, type LogLevel, silentLog } from "./log.ts";
export { type FaultCode, Malformed } from "./malformed.ts";
export { type AgentMessage, agentMessages, type HostMessage, hostMessages } from "./message.ts";
export type { ActiveGoalMessage } from "./messages/active-goal.ts";
export type { ApiRetryMessage, ControlProgressMessage } from "./messages/api-retry.ts";
export { ASSISTANT_ERRORS, type AssistantError, type AssistantMessage } from "./messages/assistant.ts";
export type { AuthStatusMessage } from "./messages/auth-status.ts";
export type { CommandLifecycleMessage } from "./messages/command-lifecycle.ts";
export type { CommandsChangedMessage } from "./messages/commands-changed.ts";
export type { CompactBoundaryMessage } from "./messages/compact-boundary.ts";
export type { ConversationResetMessage } from "./messages/conversation-reset.ts";
export type { ElicitationCompleteMessage } from "./messages/elicitation-complete.ts";
export type { ShuttingDownMessage, WritesLostMessage } from "./messages/endings.ts";
export type { EnvironmentMessage } from "./messages/environment.ts";
export type {
  ConsolidationMessage,
  ErrorNotice,
  InjectedMessage,
  InterruptedMessage,
  QueuedMessage,
  SessionCreatedMessage,
} from "./messages/extensions.ts";
export type { FilesPersistedMessage } from "./messages/files-persisted.ts";
export type {
  HookProgressMessage,
  HookResponseMessage,
  HookStartedMessage,
} from "./messages/hook-notices.ts";
export type { InitMessage, ToolDefinition } from "./messages/init.ts";
export type { KeepAliveMessage } from "./messages/keep-alive.ts";
export type { MemoryRecallMessage } from "./messages/memory-recall.ts";
export type {
  InformationalMessage,
  LocalCommandOutputMessage,
  NotificationMessage,
} from "./messages/notices.ts";
export type { MessageOrigin } from "./messages/origin.ts";
export type { PermissionDeniedMessage } from "./messages/permission-denied.ts";
export type { PluginInstallMessage } from "./messages/plugin-install.ts";
export type { PromptMessage } from "./messages/prompt.ts";
export type { PromptSuggestionMessage } from "./messages/prompt-suggestion.ts";
export type { RateLimitInfo, RateLimitMessage } from "./messages/rate-limit.ts";
export type { RefusalFallbackMessage, RefusalMessage } from "./messages/refusals.ts";
export { isFailure, type PermissionDenial, type ResultMessage } from "./messages/result.ts";
export { STARTUP_FAILURE_REASONS, TERMINAL_REASONS } from "./messages/result-reasons.ts";
export type { SessionStateMessage } from "./messages/session-state.ts";
export type { StatusMessage } from "./messages/status.ts";
export type { StreamEventMessage } from "./messages/stream-event.ts";
export { type SystemMessage, systemMessage } from "./messages/system.ts";
export type {
  BackgroundTasksMessage,
  TaskNotificationMessage,
  TaskProgressMessage,
  TaskStartedMessage,
  TaskUpdatedMessage,
  TaskUsage,
} from "./messages/tasks.ts";
export type { ThinkingTokensMessage } from "./messages/thinking-tokens.ts";
export type { ToolProgressMessage, ToolUseSummaryMessage } from "./messages/tool-progress.ts";
export type { TranscriptMirrorMessage } from "./messages/transcript-mirror.ts";
export type { ToolResultMeta, UserMessage } from "./messages/user.ts";
export { parseLine } from "./parse.ts";
export { type LimitedPayload, limitPayload, MAX_PAYLOAD_BYTES, truncationMarker } from "./payload.ts";
export type { RequestLimits } from "./pending.ts";
export {
  PERMISSION_MODES,
  type PermissionMode,
  permissionMode,
  toPermissionMode,
} from "./permission-mode.ts";
export {
  type PermissionAllow,
  type PermissionDeny,
  type PermissionResult,
  permissionResult,
  readPermissionResult,
} from "./permission-result.ts";
export { printsOnly } from "./permission-rule/bash/printf.ts";
export { coversBelow, fileRuleName } from "./permission-rule/file-rule.ts";
export type { GivenRule, RuleBehavior, RuleContext, ToolCall } from "./permission-rule/given-rule.ts";
export { type Judgement, judge } from "./permission-rule/judge.ts";
export { type PermissionRule, parseRule, printRule, type RuleReading } from "./permission-rule/rule.ts";
export { parseRuleList } from "./permission-rule/rule-list.ts";
export { type PermissionRuleValue, ruleFromValue, ruleToValue } from "./permission-rule/rule-value.ts";
export { literalValue, MARK, withoutMarks } from "./permission-rule/shell/marks.ts";
export type { Redirect, ShellPart, ShellReading, ShellWord } from "./permission-rule/shell/part.ts";
export { readShell } from "./permission-rule/shell/read-shell.ts";
export { suggestRule } from "./permission-rule/suggest.ts";
export {
  type PermissionDestination,
  type PermissionUpdate,
  permissionRuleValue,
  permissionUpdate,
  ruleBehavior,
} from "./permission-update.ts";
export { Queue } from "./queue.ts";
export { type Redact, redactor, secretsIn } from "./redact.ts";
export type { Repair } from "./schema/reading.ts";
export type { FieldDoc, Infer, Schema, SchemaDoc } from "./schema/schema.ts";
export { Unknown } from "./schema/unknown.ts";
export type { SlashCommand } from "./slash-command.ts";
export { type KnownAgent, printNotice, type StartupNotice, startupNotice } from "./startup-notice.ts";
export { currentToolName, FORMER_TOOL_NAMES, toolNames } from "./tool-name.ts";
export { type ModelUsage, NO_USAGE, type Usage, type UsageSoFar } from "./usage.ts";
export {
  type AgentVersion,
  compareVersions,
  isAtLeast,
  type MinorLine,
  minorLine,
  parseVersion,
  placeInRange,
  printVersion,
  type Release,
  type Version,
  type VersionRange,
} from "./version.ts";
