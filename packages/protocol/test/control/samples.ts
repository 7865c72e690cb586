import type { agentRequests, hostRequests } from "../../src/control/tables.ts";

interface Sample {
  /** A request with only the required fields. */
  readonly minimal: object;
  /** The same with a fault in a field that matters. */
  readonly broken: object;
}

/** A request without fields can be broken only in its tag. */
const bare = (subtype: string): Sample => ({ minimal: { subtype }, broken: { subtype: `${subtype}_2` } });

/** The fields of a request, and the change that breaks it. */
const sample = (subtype: string, fields: object, fault: object): Sample => ({
  minimal: { subtype, ...fields },
  broken: { subtype, ...fields, ...fault },
});

export const hostSamples: Readonly<Record<keyof typeof hostRequests, Sample>> = {
  initialize: sample("initialize", {}, { hooks: { PreToolUse: [{ hookCallbackIds: "hook_0" }] } }),
  claim_session: sample("claim_session", { cwd: "/w" }, { cwd: undefined }),
  interrupt: sample("interrupt", {}, { cancel_queued: "perhaps" }),
  set_permission_mode: sample("set_permission_mode", { mode: "plan" }, { mode: undefined }),
  set_model: sample("set_model", {}, { model: {} }),
  set_max_thinking_tokens: sample("set_max_thinking_tokens", {}, { max_thinking_tokens: "many" }),
  cancel_async_message: sample("cancel_async_message", { message_uuid: "u" }, { message_uuid: undefined }),
  rename_session: sample("rename_session", { title: "t" }, { title: undefined }),
  set_color: sample("set_color", { color: "red" }, { color: undefined }),
  set_has_subscribers: sample("set_has_subscribers", { has_subscribers: null }, { has_subscribers: "?" }),
  end_session: sample("end_session", {}, { reason: [] }),
  apply_flag_settings: sample("apply_flag_settings", { settings: {} }, { settings: [] }),
  get_settings: bare("get_settings"),
  update_settings: sample(
    "update_settings",
    { source: "localSettings", settings: {} },
    { source: "policySettings" },
  ),
  list_permission_rules: bare("list_permission_rules"),
  get_hooks_listing: bare("get_hooks_listing"),
  get_context_usage: sample("get_context_usage", {}, { detail: {} }),
  get_usage: sample("get_usage", {}, { skip_behaviors: "perhaps" }),
  get_session_cost: bare("get_session_cost"),
  list_models: bare("list_models"),
  get_binary_version: bare("get_binary_version"),
  rewind_files: sample("rewind_files", { user_message_id: "u" }, { user_message_id: undefined }),
  read_file: sample("read_file", { path: "a" }, { path: undefined }),
  seed_read_state: sample("seed_read_state", { path: "a", mtime: 1 }, { mtime: "yesterday" }),
  register_repo_root: sample("register_repo_root", { directory: "/r" }, { directory: undefined }),
  file_suggestions: sample("file_suggestions", { query: "" }, { query: undefined }),
  session_status: bare("session_status"),
  stop_task: sample("stop_task", { task_id: "t" }, { task_id: undefined }),
  background_tasks: sample("background_tasks", {}, { tool_use_id: [] }),
  get_task_output: sample("get_task_output", { task_id: "t" }, { task_id: undefined }),
  side_question: sample("side_question", { question: "Why?" }, { history: [{ question: "Why?" }] }),
  generate_session_title: sample(
    "generate_session_title",
    { description: "fix the login" },
    { description: undefined },
  ),
  export_conversation: bare("export_conversation"),
  get_plan: bare("get_plan"),
  get_status: bare("get_status"),
  set_cwd: sample("set_cwd", { path: "/p" }, { path: undefined, cwd: "/p" }),
  message_rated: sample(
    "message_rated",
    { messageUuid: "u", sentiment: "positive", surface: "assistant_text", cleared: false },
    { cleared: undefined },
  ),
  reload_plugins: sample("reload_plugins", {}, { add_plugins: [{ type: "remote", path: "/p" }] }),
  reload_skills: bare("reload_skills"),
  reload_output_styles: bare("reload_output_styles"),
  mcp_status: sample("mcp_status", {}, { liveReply: "perhaps" }),
  mcp_reconnect: sample("mcp_reconnect", { serverName: "s" }, { serverName: undefined, server_name: "s" }),
  mcp_toggle: sample("mcp_toggle", { serverName: "s", enabled: false }, { enabled: undefined }),
  mcp_authenticate: sample("mcp_authenticate", { serverName: "s" }, { serverName: undefined }),
  mcp_clear_auth: sample("mcp_clear_auth", { serverName: "s" }, { serverName: undefined }),
  mcp_set_servers: sample("mcp_set_servers", { servers: {} }, { servers: { s: "npx server" } }),
  mcp_message: sample(
    "mcp_message",
    { server_name: "s", message: {} },
    { server_name: undefined, serverName: "s" },
  ),
  mcp_read_resource: sample("mcp_read_resource", { serverName: "s", uri: "ui://a" }, { uri: undefined }),
  mcp_call: sample("mcp_call", { tool: "mcp__s__t" }, { tool: undefined }),
  set_mcp_permission_mode_override: sample(
    "set_mcp_permission_mode_override",
    { serverName: "s", mode: null },
    { mode: {} },
  ),
};

export const agentSamples: Readonly<Record<keyof typeof agentRequests, Sample>> = {
  can_use_tool: sample(
    "can_use_tool",
    { tool_name: "Bash", input: { command: "ls" }, tool_use_id: "t" },
    { input: "ls" },
  ),
  hook_callback: sample(
    "hook_callback",
    {
      callback_id: "hook_0",
      input: {
        session_id: "s",
        transcript_path: "/t",
        cwd: "/w",
        hook_event_name: "WorktreeCreate",
        name: "n",
      },
    },
    { callback_id: undefined },
  ),
  mcp_message: sample("mcp_message", { server_name: "s", message: {} }, { message: "{}" }),
  elicitation: sample("elicitation", { mcp_server_name: "s", message: "m" }, { message: undefined }),
  request_user_dialog: sample(
    "request_user_dialog",
    { dialog_kind: "k", payload: {} },
    { dialog_kind: undefined },
  ),
  read_text_file: sample("read_text_file", { path: "/a" }, { path: undefined }),
  write_text_file: sample("write_text_file", { path: "/a", content: "" }, { content: undefined }),
  create_terminal: sample("create_terminal", { command: "ls", args: [], env: {} }, { command: undefined }),
  terminal_output: sample("terminal_output", { terminal_id: "t" }, { terminal_id: undefined }),
  wait_for_terminal_exit: sample("wait_for_terminal_exit", { terminal_id: "t" }, { terminal_id: undefined }),
  kill_terminal: sample("kill_terminal", { terminal_id: "t" }, { terminal_id: undefined }),
  release_terminal: sample("release_terminal", { terminal_id: "t" }, { terminal_id: undefined }),
};
