import type { JsonObject } from "../../src/json.ts";

/** The shortest line of each kind that needs no repair, and its required fields. */
export interface Sample {
  readonly line: JsonObject;
  readonly required: readonly string[];
}

const trailer = { uuid: "5d0f", session_id: "s1" };

const usage = {
  input_tokens: 3,
  output_tokens: 5,
  cache_creation_input_tokens: 7,
  cache_read_input_tokens: 11,
};

const reply = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "hi" }],
  stop_reason: null,
  stop_sequence: null,
  usage,
};

const sample = (line: JsonObject, ...required: string[]): Sample => ({
  line,
  required: ["type", ...required],
});

const system = (subtype: string, fields: JsonObject, ...required: string[]) =>
  sample({ type: "system", subtype, ...fields, ...trailer }, "subtype", ...required);

const assistant = sample(
  { type: "assistant", message: reply, parent_tool_use_id: null, ...trailer },
  "message",
);

/** The messages of an agent, by `type`. */
export const agentSamples: { readonly [type: string]: Sample } = {
  assistant,
  user: sample(
    { type: "user", message: { role: "user", content: "hi" }, parent_tool_use_id: null },
    "message",
  ),
  stream_event: sample(
    { type: "stream_event", event: { type: "message_stop" }, parent_tool_use_id: null, ...trailer },
    "event",
  ),
  result: sample({
    type: "result",
    subtype: "error_max_turns",
    is_error: true,
    stop_reason: "tool_use",
    duration_ms: 9,
    duration_api_ms: 5,
    num_turns: 2,
    usage,
    modelUsage: {
      m: {
        inputTokens: 3,
        outputTokens: 5,
        cacheReadInputTokens: 11,
        cacheCreationInputTokens: 7,
        webSearchRequests: 1,
      },
    },
    permission_denials: [{ tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "ls" } }],
    ...trailer,
  }),
  tool_progress: sample(
    {
      type: "tool_progress",
      tool_use_id: "t1",
      tool_name: "Bash",
      parent_tool_use_id: null,
      elapsed_time_seconds: 30,
      ...trailer,
    },
    "tool_use_id",
  ),
  tool_use_summary: sample(
    { type: "tool_use_summary", summary: "read two files", preceding_tool_use_ids: ["t1"], ...trailer },
    "summary",
  ),
  command_lifecycle: sample(
    { type: "command_lifecycle", command_uuid: "p1", state: "queued", ...trailer },
    "command_uuid",
    "state",
  ),
  rate_limit_event: sample(
    { type: "rate_limit_event", rate_limit_info: { status: "allowed" }, ...trailer },
    "rate_limit_info",
  ),
  conversation_reset: sample(
    { type: "conversation_reset", new_conversation_id: "s2", ...trailer },
    "new_conversation_id",
  ),
  prompt_suggestion: sample(
    { type: "prompt_suggestion", suggestion: "run the tests", ...trailer },
    "suggestion",
  ),
  auth_status: sample(
    { type: "auth_status", isAuthenticating: true, output: ["…"], ...trailer },
    "isAuthenticating",
  ),
  active_goal: sample({ type: "active_goal", value: null, ...trailer }, "value"),
  transcript_mirror: sample(
    { type: "transcript_mirror", filePath: "/p/s1.jsonl", entries: [{ type: "summary" }] },
    "filePath",
    "entries",
  ),
  keep_alive: sample({ type: "keep_alive" }),
};

/** The `system` messages of an agent, by `subtype`. */
export const systemSamples: { readonly [subtype: string]: Sample } = {
  init: system("init", {
    cwd: "/p",
    model: "m",
    permissionMode: "plan",
    tools: ["Bash"],
    mcp_servers: [{ name: "files", status: "connected" }],
    slash_commands: ["clear"],
    skills: ["verify"],
    plugins: [{ name: "p", path: "/plugins/p" }],
    output_style: "terse",
    claude_code_version: "2.1.325",
    apiKeySource: "none",
  }),
  status: system("status", { status: "requesting" }),
  session_state_changed: system("session_state_changed", { state: "idle" }, "state"),
  compact_boundary: system(
    "compact_boundary",
    { compact_metadata: { trigger: "manual", pre_tokens: 100 } },
    "compact_metadata",
  ),
  task_started: system("task_started", { task_id: "b1", description: "d" }, "task_id"),
  task_progress: system(
    "task_progress",
    { task_id: "b1", description: "d", usage: { total_tokens: 1, tool_uses: 2, duration_ms: 3 } },
    "task_id",
  ),
  task_updated: system("task_updated", { task_id: "b1", patch: {} }, "task_id", "patch"),
  task_notification: system(
    "task_notification",
    { task_id: "b1", status: "completed", output_file: "/o", summary: "done" },
    "task_id",
    "status",
  ),
  background_tasks_changed: system(
    "background_tasks_changed",
    { tasks: [{ task_id: "b1", task_type: "local_bash", description: "d" }] },
    "tasks",
  ),
  hook_started: system("hook_started", { hook_id: "h1", hook_name: "Stop", hook_event: "Stop" }, "hook_id"),
  hook_progress: system(
    "hook_progress",
    { hook_id: "h1", hook_name: "Stop", hook_event: "Stop", output: "o", stdout: "o", stderr: "e" },
    "hook_id",
  ),
  hook_response: system(
    "hook_response",
    {
      hook_id: "h1",
      hook_name: "Stop",
      hook_event: "Stop",
      output: "o",
      stdout: "o",
      stderr: "e",
      outcome: "success",
    },
    "hook_id",
    "outcome",
  ),
  permission_denied: system(
    "permission_denied",
    { tool_name: "Bash", tool_use_id: "t1", message: "no" },
    "tool_name",
  ),
  api_retry: system("api_retry", {
    attempt: 1,
    max_retries: 10,
    retry_delay_ms: 500,
    error_status: 529,
    error: "overloaded",
  }),
  control_request_progress: system(
    "control_request_progress",
    { request_id: "r1", status: "started" },
    "request_id",
    "status",
  ),
  model_refusal_fallback: system(
    "model_refusal_fallback",
    {
      trigger: "refusal",
      direction: "retry",
      original_model: "m",
      fallback_model: "n",
      request_id: null,
      content: "switched",
    },
    "fallback_model",
  ),
  model_refusal_no_fallback: system("model_refusal_no_fallback", {
    original_model: "m",
    request_id: "req_1",
    content: "refused",
  }),
  informational: system("informational", { content: "by the way", level: "notice" }, "content"),
  notification: system("notification", { key: "k", text: "look", priority: "high" }, "text"),
  local_command_output: system("local_command_output", { content: "$0.01" }, "content"),
  thinking_tokens: system("thinking_tokens", { estimated_tokens: 40, estimated_tokens_delta: 8 }),
  commands_changed: system(
    "commands_changed",
    { commands: [{ name: "clear", description: "d", argumentHint: "" }] },
    "commands",
  ),
  elicitation_complete: system(
    "elicitation_complete",
    { mcp_server_name: "files", elicitation_id: "e1" },
    "elicitation_id",
  ),
  memory_recall: system(
    "memory_recall",
    { mode: "synthesize", memories: [{ path: "/m.md", scope: "team" }] },
    "memories",
  ),
  plugin_install: system("plugin_install", { status: "started" }, "status"),
  files_persisted: system("files_persisted", {
    files: [{ filename: "a", file_id: "f1" }],
    failed: [{ filename: "b", error: "too big" }],
    processed_at: "2026-01-01T00:00:00Z",
  }),
  session_writes_lost: system(
    "session_writes_lost",
    { error_code: "ENOSPC", lost: ["transcript"] },
    "error_code",
  ),
  worker_shutting_down: system("worker_shutting_down", { reason: "host_exit" }),
  queued: system("queued", { position: 1 }),
  injected: system("injected", { message_count: 2, content_length: 150 }),
  interrupted: system("interrupted", {}),
  error: system("error", { message: "Something went wrong" }),
  consolidation: system("consolidation", { entries_created: 2, entries_updated: 1 }),
  session_created: system("session_created", {}),
};

/** The messages of a host, by `type`. */
export const hostSamples: { readonly [type: string]: Sample } = {
  user: sample({ type: "user", message: { role: "user", content: "hi" } }, "message"),
  keep_alive: sample({ type: "keep_alive" }),
  update_environment_variables: sample(
    { type: "update_environment_variables", variables: { TOKEN: "x" } },
    "variables",
  ),
  assistant,
};
