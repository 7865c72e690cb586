import { stopReason } from "../content/api-message.ts";
import { modelUsage, NO_USAGE, usage } from "../content/usage.ts";
import { array, record } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { anything, boolean, jsonObject, literal, nullable, number, oneOf, string } from "../schema/scalar.ts";
import { about, type Infer } from "../schema/schema.ts";
import { answered, fastMode, trailer } from "./common.ts";
import { messageOrigin } from "./prompt.ts";

/** Why a turn's loop ended; absent if no loop ran, as for a local slash command. */
export const TERMINAL_REASONS = [
  "completed",
  "max_turns",
  "budget_exhausted",
  "structured_output_retry_exhausted",
  "aborted_streaming",
  "aborted_tools",
  "stop_hook_prevented",
  "hook_stopped",
  "tool_deferred",
  "tool_deferred_unavailable",
  "background_requested",
  "blocking_limit",
  "rapid_refill_breaker",
  "prompt_too_long",
  "image_error",
  "model_error",
  "api_error",
  "malformed_tool_use_exhausted",
  "turn_setup_failed",
] as const;

/** Why an agent refused to start. */
export const STARTUP_FAILURE_REASONS = [
  "org_pin_api_key_conflict",
  "provider_not_allowed",
  "org_verify_failed",
  "org_pin_mismatch",
  "managed_settings_invalid",
  "remote_settings_required_unavailable",
  "gateway_signin_required",
  "gateway_access_denied",
  "proxy_invalid",
  "temp_dir_unusable",
  "cwd_unavailable",
  "shell_tool_missing",
  "session_held_by_background",
  "worktree_resume_refused",
  "worktree_unverified",
  "cli_version_too_old",
  "bypass_root",
  "org_config_required_unavailable",
  "org_config_refused",
  "sandbox_required_unavailable",
  "initialize_not_first",
  "config_file_invalid",
  "managed_settings_not_delivered",
] as const;

const permissionDenial = object({
  tool_name: string,
  tool_use_id: defaulted(string, ""),
  tool_input: defaulted(jsonObject, {}),
});

/** A tool call that was not allowed during the turn. */
export type PermissionDenial = Infer<typeof permissionDenial>;

/** The fields that describe the end of a turn and its cost. */
const outcome = {
  subtype: defaulted(
    oneOf(
      "success",
      "error_during_execution",
      "error_max_turns",
      "error_max_budget_usd",
      "error_max_structured_output_retries",
    ),
    "success",
  ),
  is_error: defaulted(boolean, false, "read with `subtype`: a success may be a failed model call"),
  result: optional(string, "the final text, or the error text if the model call failed"),
  errors: optional(array(string), "sent with every subtype but success"),
  structured_output: optional(anything, "the value that matches the schema the host asked for"),
  stop_reason: defaulted(nullable(stopReason), null),
  terminal_reason: optional(oneOf(...TERMINAL_REASONS)),
  api_error_status: optional(nullable(number), "HTTP status of the failed model call"),
  duration_ms: defaulted(number, 0),
  duration_api_ms: defaulted(number, 0),
  num_turns: defaulted(number, 0),
  total_cost_usd: optional(number, "for the session so far; absent if the agent does not know prices"),
  usage: defaulted(usage, NO_USAGE, "for this turn, without subagents"),
  modelUsage: defaulted(record(modelUsage), {}, "for the session so far, by model"),
  model_usage_since_last_result: optional(record(modelUsage)),
  permission_denials: defaulted(array(permissionDenial), []),
};

/** The end of a turn. */
export const resultMessage = about(
  "E",
  "Sent exactly once per turn, after all its other messages; the process then waits for the next prompt.",
  object({
    type: literal("result"),
    ...outcome,
    deferred_tool_use: optional(object({ id: string, name: string, input: jsonObject })),
    queued_turn_count: optional(number, "prompts that are still queued"),
    result_index: optional(number, "counts the results of the process from 0"),
    origin: optional(messageOrigin, "what started a turn that had no prompt"),
    local_command: optional(string, "the slash command that was answered without the model"),
    startup_failure_reason: optional(oneOf(...STARTUP_FAILURE_REASONS)),
    invalid_config_file: optional(
      object({
        path: string,
        is_global: optional(boolean),
        backup_searched: optional(boolean),
        backup_path: optional(string),
      }),
    ),
    credential_expires_at: optional(string),
    ttft_ms: optional(number, "from the prompt to the first token"),
    ttft_stream_ms: optional(number),
    time_to_request_ms: optional(number),
    ...answered,
    ...fastMode,
    ...trailer,
  }),
);

/** The end of a turn. */
export type ResultMessage = Infer<typeof resultMessage>;

/** Whether a turn failed: either `is_error` or an error subtype is enough; an unknown subtype is a success. */
export function isFailure(result: Pick<ResultMessage, "subtype" | "is_error">): boolean {
  return result.is_error || result.subtype.startsWith("error") || result.subtype === "cancelled";
}
