/** The counts in a canonical usage besides input and output tokens, which every dialect has. */
export const CACHE_COUNTS = ["cache_creation_input_tokens", "cache_read_input_tokens"];

/** Formats keys that are added to a line, for `again` and `differs`. */
export const added = (path: string, keys: readonly string[]): readonly string[] =>
  keys.map((key) => (path === "" ? `+${key}` : `+${path}.${key}`));

/** Keys added to an init that reports only its session, tools, model and folder. */
export const INIT_DEFAULTS = [
  "permissionMode",
  "mcp_servers",
  "slash_commands",
  "skills",
  "plugins",
  "output_style",
  "claude_code_version",
  "apiKeySource",
];

/** Keys added to a reply's message that reports only its content, its end and its usage. */
export const REPLY_DEFAULTS = ["id", "type", "model", "stop_sequence"];

/** Keys added to a result that reports only its subtype, session and cost. */
export const RESULT_DEFAULTS = [
  "is_error",
  "stop_reason",
  "duration_api_ms",
  "num_turns",
  "modelUsage",
  "permission_denials",
];

/** The last fields of every canonical message of an agent. */
export const TRAILER = ["uuid", "session_id"];
