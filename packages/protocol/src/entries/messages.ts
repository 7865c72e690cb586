/** The contents of each message: the conversation, its blocks and usage, and every notice, with their schemas. */

export { type ApiEvent, apiEvent, type BlockDelta } from "../content/api-event.ts";
export type { ApiMessage, StopReason } from "../content/api-message.ts";
export type {
  McpToolUseBlock,
  RedactedThinkingBlock,
  SearchResultBlock,
  ServerToolResultBlock,
  ServerToolUseBlock,
  TextBlock,
  ThinkingBlock,
  ToolReferenceBlock,
  ToolUseBlock,
} from "../content/blocks.ts";
export {
  type ContentBlock,
  contentBlock,
  contentText,
  type McpToolResultBlock,
  type MessageContent,
  messageContent,
  type ToolResultBlock,
} from "../content/content.ts";
export type { DocumentBlock, ImageBlock } from "../content/media.ts";
export { type ModelUsage, NO_USAGE, type Usage, type UsageSoFar } from "../content/usage.ts";
export { agentMessages, hostMessages } from "../message.ts";
export { ASSISTANT_ERRORS, type AssistantError, type AssistantMessage } from "../messages/assistant.ts";
export type {
  ConsolidationMessage,
  ErrorNotice,
  InjectedMessage,
  InterruptedMessage,
  QueuedMessage,
  SessionCreatedMessage,
} from "../messages/extensions.ts";
export type {
  HookProgressMessage,
  HookResponseMessage,
  HookStartedMessage,
} from "../messages/hook-notices.ts";
export type { InitMessage, ToolDefinition } from "../messages/init.ts";
export type {
  ApiRetryMessage,
  ControlProgressMessage,
  RateLimitInfo,
  RateLimitMessage,
  RefusalFallbackMessage,
  RefusalMessage,
} from "../messages/model-trouble.ts";
export type {
  ActiveGoalMessage,
  AuthStatusMessage,
  ElicitationCompleteMessage,
  FilesPersistedMessage,
  InformationalMessage,
  LocalCommandOutputMessage,
  MemoryRecallMessage,
  NotificationMessage,
  PermissionDeniedMessage,
  PluginInstallMessage,
  PromptSuggestionMessage,
} from "../messages/notices.ts";
export type {
  CommandLifecycleMessage,
  ThinkingTokensMessage,
  ToolProgressMessage,
  ToolUseSummaryMessage,
} from "../messages/progress.ts";
export type { MessageOrigin, PromptMessage } from "../messages/prompt.ts";
export {
  isFailure,
  type PermissionDenial,
  type ResultMessage,
  STARTUP_FAILURE_REASONS,
  TERMINAL_REASONS,
} from "../messages/result.ts";
export type {
  CommandsChangedMessage,
  CompactBoundaryMessage,
  ConversationResetMessage,
  EnvironmentMessage,
  KeepAliveMessage,
  SessionStateMessage,
  ShuttingDownMessage,
  StatusMessage,
  TranscriptMirrorMessage,
  WritesLostMessage,
} from "../messages/session.ts";
export type { StreamEventMessage } from "../messages/stream-event.ts";
export { type SystemMessage, systemMessage } from "../messages/system.ts";
export type {
  BackgroundTasksMessage,
  TaskNotificationMessage,
  TaskProgressMessage,
  TaskStartedMessage,
  TaskUpdatedMessage,
  TaskUsage,
} from "../messages/tasks.ts";
export type { ToolResultMeta, UserMessage } from "../messages/user.ts";
