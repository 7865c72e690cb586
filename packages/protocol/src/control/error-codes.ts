/** The `error_code`s of control answers by the request they belong to; a peer may send others. */
export const ERROR_CODES = {
  any: ["unsupported_request", "invalid_request", "internal_error"],
  set_model: [
    "catalog_unknown",
    "not_found",
    "restricted_by_org",
    "unavailable_for_account",
    "not_offered",
    "alias_1m_disabled",
    "alias_1m_unsupported",
    "blocked_by_hook",
    "hooks_unchecked",
    "hooks_unchecked_plugin_not_loaded",
    "check_failed",
    "check_unreachable",
    "check_server_error",
    "check_rejected",
    "credits_required",
    "rate_limit",
    "auth_failed",
    "oauth_org_not_allowed",
    "model_not_current",
    "verdict_pending",
  ],
  set_permission_mode: [
    "invalid_mode",
    "bypass_restricted",
    "bypass_disabled",
    "bypass_not_launched",
    "auto_mode_settings",
    "auto_mode_circuit_breaker",
    "auto_mode_fast_mode",
    "auto_mode_model",
    "auto_mode_unavailable",
  ],
  mcp: [
    "mcp_policy_blocked",
    "mcp_client_registration_unavailable",
    "mcp_redirect_uri_unusable",
    "mcp_call_refusal_limit",
    "mcp_call_malformed",
    "mcp_call_not_vouched",
    "mcp_call_not_listed",
    "mcp_call_no_container",
  ],
  reload_plugins: ["reload_plugins_busy"],
  read_file: ["read_denied"],
  other: [
    "credential_name",
    "side_question_busy",
    "workspace_diff_pending",
    "stale_worker_epoch",
    "invalid_worker_epoch",
  ],
} as const;

/** A known `error_code` of a control answer. */
export type ControlErrorCode = (typeof ERROR_CODES)[keyof typeof ERROR_CODES][number];

/** The text of an answer to a request that nobody here knows; a host may look for it word by word. */
export const unsupportedRequest = (subtype: string): string =>
  `Unsupported control request subtype: ${subtype}`;
