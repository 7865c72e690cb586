import type { STARTUP_FAILURE_REASONS, TERMINAL_REASONS } from "@agentwire/protocol/messages";
import type { FastModeDisabledReason, FastModeState } from "./catalog.ts";
import type { Answering, SDKMessageOrigin } from "./conversation-messages.ts";
import type { Trailer } from "./envelope.ts";
import type { ModelUsage, NonNullableUsage } from "./usage.ts";

/** Why a turn's loop ended. */
export type TerminalReason = (typeof TERMINAL_REASONS)[number];

/** Why an agent refused to start. */
export type SDKStartupFailureReason = (typeof STARTUP_FAILURE_REASONS)[number];

/** A tool call that was not allowed during the turn. */
export type SDKPermissionDenial = {
  tool_name: string;
  tool_use_id: string;
  tool_input: Record<string, unknown>;
};

/** A tool call that ended the turn, for the host to run. */
export type SDKDeferredToolUse = { id: string; name: string; input: Record<string, unknown> };

type Ending = Answering &
  Trailer & {
    type: "result";
    is_error: boolean;
    duration_ms: number;
    duration_api_ms: number;
    num_turns: number;
    stop_reason: string | null;
    total_cost_usd: number;
    usage: NonNullableUsage;
    modelUsage: Record<string, ModelUsage>;
    permission_denials: SDKPermissionDenial[];
    queued_turn_count?: number;
    terminal_reason?: TerminalReason;
    result_index?: number;
    credential_expires_at?: string;
    fast_mode_state?: FastModeState;
    fast_mode_disabled_reason?: FastModeDisabledReason;
    origin?: SDKMessageOrigin;
  };

type QueuedBehind = "durable_post" | "ephemeral_post" | "retry_backoff" | "hold" | "none";

type Timings = {
  ttft_ms?: number;
  ttft_stream_ms?: number;
  time_to_request_ms?: number;
  time_to_request_from_spawn_ms?: number;
  time_origin_ms?: number;
  request_sent_wall_ms?: number;
  first_content_frame_ms?: number;
  first_stream_post_ms?: number;
  first_stream_post_ack_ms?: number;
  first_stream_post_queue_wait_ms?: number;
  first_stream_post_queued_behind?: QueuedBehind;
  first_stream_post_wall_ms?: number;
  first_text_post_ms?: number;
  first_text_post_queue_wait_ms?: number;
  first_text_post_queued_behind?: QueuedBehind;
  first_text_post_wall_ms?: number;
};

/** The end of a turn with an answer, or with a failed model call (`is_error`). */
export type SDKResultSuccess = Ending &
  Timings & {
    subtype: "success";
    result: string;
    structured_output?: unknown;
    deferred_tool_use?: SDKDeferredToolUse;
    api_error_status?: number | null;
    local_command?: string;
    warm_spare_claimed?: boolean;
  };

/** The end of a turn without an answer. */
export type SDKResultError = Ending & {
  subtype:
    | "error_during_execution"
    | "error_max_turns"
    | "error_max_budget_usd"
    | "error_max_structured_output_retries";
  errors: string[];
  startup_failure_reason?: SDKStartupFailureReason;
  invalid_config_file?: {
    path: string;
    is_global: boolean;
    backup_searched: boolean;
    backup_path?: string;
  };
};

/** The end of a turn. */
export type SDKResultMessage = SDKResultSuccess | SDKResultError;
