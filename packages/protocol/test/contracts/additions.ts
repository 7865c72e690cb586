/** What a canonical usage counts beyond input and output tokens, which every dialect has. */
export const CACHE_COUNTS = ["cache_creation_input_tokens", "cache_read_input_tokens"];

/** Spells keys that a line gains, for `again` and `differs`. */
export const added = (path: string, keys: readonly string[]): readonly string[] =>
  keys.map((key) => (path === "" ? `+${key}` : `+${path}.${key}`));

/** What an init gains that tells no more than its session, tools, model and folder. */
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

/** What the message of a reply gains that tells no more than its content, its end and its usage. */
export const REPLY_DEFAULTS = ["id", "type", "model", "stop_sequence"];

/** What a result gains that tells no more than its subtype, session and cost. */
export const RESULT_DEFAULTS = [
  "is_error",
  "stop_reason",
  "duration_api_ms",
  "num_turns",
  "modelUsage",
  "permission_denials",
];

/** What closes every canonical message of an agent. */
export const TRAILER = ["uuid", "session_id"];
