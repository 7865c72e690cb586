import type { SDKAssistantMessageError } from "../conversation-messages.ts";
import type { McpServerProvenance, PermissionUpdate } from "../permissions.ts";
import type { InputOf } from "./base.ts";

/** A prompt has come in. */
export type UserPromptSubmitHookInput = InputOf<
  "UserPromptSubmit",
  {
    prompt: string;
    source?: "user" | "sdk" | "system" | "loop_wakeup" | "schedule_wakeup" | "poll_event";
    session_title?: string;
  }
>;

/** A command in a prompt has been replaced by the text that it stands for. */
export type UserPromptExpansionHookInput = InputOf<
  "UserPromptExpansion",
  {
    expansion_type: "slash_command" | "mcp_prompt";
    command_name: string;
    command_args: string;
    command_source?: string;
    prompt: string;
  }
>;

/** The user is about to be notified. */
export type NotificationHookInput = InputOf<
  "Notification",
  { message: string; title?: string; notification_type: string }
>;

/** Something that keeps running after the turn. */
export type BackgroundTaskSummary = {
  id: string;
  type: string;
  status: string;
  description: string;
  command?: string;
  agent_type?: string;
  server?: string;
  tool?: string;
  name?: string;
};

/** A prompt that the session sends itself on a schedule. */
export type SessionCronSummary = { id: string; schedule: string; recurring: boolean; prompt: string };

type Stopping = {
  /** True if a hook has already kept the turn going. */
  stop_hook_active: boolean;
  last_assistant_message?: string;
  background_tasks?: BackgroundTaskSummary[];
  session_crons?: SessionCronSummary[];
};

/** The turn is about to end. */
export type StopHookInput = InputOf<"Stop", Stopping>;

/** The turn ends in an error. */
export type StopFailureHookInput = InputOf<
  "StopFailure",
  { error: SDKAssistantMessageError; error_details?: string; last_assistant_message?: string }
>;

/** A subagent begins. */
export type SubagentStartHookInput = InputOf<"SubagentStart", { agent_id: string; agent_type: string }>;

/** A subagent is about to end. */
export type SubagentStopHookInput = InputOf<
  "SubagentStop",
  Stopping & { agent_id: string; agent_transcript_path: string; agent_type: string }
>;

/** Lines of a reply are about to be shown. */
export type MessageDisplayHookInput = InputOf<
  "MessageDisplay",
  { turn_id: string; message_id: string; index: number; final: boolean; delta: string }
>;

type Call = { tool_name: string; tool_input: unknown; mcp_server?: McpServerProvenance };
type NamedCall = Call & { tool_use_id: string };

/** A tool is about to run. */
export type PreToolUseHookInput = InputOf<"PreToolUse", NamedCall>;

/** A tool has run. */
export type PostToolUseHookInput = InputOf<
  "PostToolUse",
  NamedCall & { tool_response: unknown; duration_ms?: number }
>;

/** A tool has failed. */
export type PostToolUseFailureHookInput = InputOf<
  "PostToolUseFailure",
  NamedCall & { error: string; is_interrupt?: boolean; duration_ms?: number }
>;

/** One call of a step whose tools have all run. */
export type PostToolBatchToolCall = {
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  tool_response?: unknown;
};

/** All tools of a step have run. */
export type PostToolBatchHookInput = InputOf<"PostToolBatch", { tool_calls: PostToolBatchToolCall[] }>;

/** The host is about to be asked about a tool call. */
export type PermissionRequestHookInput = InputOf<
  "PermissionRequest",
  Call & { permission_suggestions?: PermissionUpdate[] }
>;

/** A tool call was not allowed. */
export type PermissionDeniedHookInput = InputOf<"PermissionDenied", NamedCall & { reason: string }>;
