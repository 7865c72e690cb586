import type { UUID } from "node:crypto";
import type { PermissionMode } from "@agentwire/protocol/permission";
import type { EffortLevel } from "./agents.ts";
import type { FastModeDisabledReason, FastModeState, SlashCommand } from "./catalog.ts";
import type { SDKAssistantMessageError } from "./conversation-messages.ts";
import type { SystemOf, Trailer } from "./envelope.ts";
import type { SDKRateLimitInfo } from "./usage.ts";

/** Where the agent's API key comes from. */
export type ApiKeySource =
  | "ANTHROPIC_API_KEY"
  | "apiKeyHelper"
  | "/login managed key"
  | "none"
  | "user"
  | "project"
  | "org"
  | "temporary"
  | "oauth";

type PluginError = {
  plugin: string;
  type: string;
  message: string;
  path?: string;
  managed_lock?: { plugin_enabled: boolean; name: string; marketplace?: string };
};

/** Information about the session, before its first turn. */
export type SDKSystemMessage = SystemOf<
  "init",
  {
    agents?: string[];
    apiKeySource: ApiKeySource;
    betas?: string[];
    claude_code_version: string;
    cwd: string;
    tools: string[];
    mcp_servers: { name: string; status: string; source?: string }[];
    model: string;
    permissionMode: PermissionMode;
    slash_commands: string[];
    terminal_slash_commands?: string[];
    output_style: string;
    skills: string[];
    plugins: { name: string; path: string; version?: string }[];
    plugin_errors?: PluginError[];
    fast_mode_state?: FastModeState;
    fast_mode_disabled_reason?: FastModeDisabledReason;
    effort?: EffortLevel | null;
    view_mode?: "focus" | "default";
    capabilities?: string[];
  }
>;

/** What the agent is doing; null if there is nothing to report. */
export type SDKStatus = "compacting" | "requesting" | null;

/** The agent's status, or its permission mode, has changed. */
export type SDKStatusMessage = SystemOf<
  "status",
  {
    status: SDKStatus;
    permissionMode?: PermissionMode;
    compact_result?: "success" | "failed";
    compact_error?: string;
  }
>;

/** The session is idle, works, or needs an answer. */
export type SDKSessionStateChangedMessage = SystemOf<
  "session_state_changed",
  { state: "idle" | "running" | "requires_action" }
>;

/** The conversation before this point was summarized. */
export type SDKCompactBoundaryMessage = SystemOf<
  "compact_boundary",
  {
    compact_metadata: {
      trigger: "manual" | "auto";
      pre_tokens: number;
      post_tokens?: number;
      duration_ms?: number;
      preserved_segment?: { head_uuid: UUID; anchor_uuid: UUID; tail_uuid: UUID };
      preserved_messages?: { anchor_uuid: UUID; uuids: UUID[] };
    };
  }
>;

/** The session continues as a new, empty conversation. */
export type SDKConversationResetMessage = Trailer & {
  type: "conversation_reset";
  new_conversation_id: UUID;
  trigger?: "clear" | "plan_mode_exit" | "fresh_session" | "onboarding";
  user_message_uuid?: string;
  timestamp?: string;
};

/** The goal that the session works towards. */
export type SDKActiveGoalMessage = Trailer & {
  type: "active_goal";
  value: {
    condition: string;
    iterations: number;
    set_at: number;
    tokens_at_start: number;
    last_reason?: string;
  } | null;
};

/** The session's slash commands have changed. */
export type SDKCommandsChangedMessage = SystemOf<"commands_changed", { commands: SlashCommand[] }>;

/** A model call failed and is tried again. */
export type SDKAPIRetryMessage = SystemOf<
  "api_retry",
  {
    attempt: number;
    max_retries: number;
    retry_delay_ms: number;
    error_status: number | null;
    error: SDKAssistantMessageError;
    no_response?: { waited_ms: number; retry_wait_ms: number };
  }
>;

/** The allowance of the user's plan has changed. */
export type SDKRateLimitEvent = Trailer & { type: "rate_limit_event"; rate_limit_info: SDKRateLimitInfo };

/** The user is being logged in. */
export type SDKAuthStatusMessage = Trailer & {
  type: "auth_status";
  isAuthenticating: boolean;
  output: string[];
  error?: string;
};

type Refused = {
  original_model: string;
  request_id: string | null;
  api_refusal_category?: string | null;
  api_refusal_explanation?: string | null;
  refused_user_message_uuid?: string | null;
  content: string;
};

/** A model refused, and another one continues. */
export type SDKModelRefusalFallbackMessage = SystemOf<
  "model_refusal_fallback",
  Refused & {
    trigger: "refusal";
    direction: "retry" | "revert" | "sticky";
    scope?: "session" | "local";
    fallback_model: string;
    retracted_message_uuids?: string[];
  }
>;

/** A model refused, and no other one continues. */
export type SDKModelRefusalNoFallbackMessage = SystemOf<"model_refusal_no_fallback", Refused>;

/** The agent is about to exit. */
export type SDKWorkerShuttingDownMessage = SystemOf<"worker_shutting_down", { reason: string }>;

/** Lines could not be written to disk. */
export type SDKSessionWritesLostMessage = SystemOf<
  "session_writes_lost",
  {
    error_code: "ENOSPC" | "EDQUOT";
    lost: ("transcript" | "global_config")[];
    transcript_session_ids?: string[];
  }
>;

/** Lines could not be given to the host's session store. */
export type SDKMirrorErrorMessage = SystemOf<
  "mirror_error",
  { error: string; key: { projectKey: string; sessionId: string; subpath?: string } }
>;
