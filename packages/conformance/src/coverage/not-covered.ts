const OURS = "belongs to another dialect than the official one";
const SERVICE = "a real service decides when it comes";
const NOT_TRIED = "nobody has tried to bring it about yet";

/** That the official agent was brought to where it might come, and it did not. */
const silentAfter = (what: string) => `did not come when tried: ${what}`;

/** Why there is no scenario for something that the protocol has a name for. */
export const NOT_COVERED: ReadonlyMap<string, string> = new Map([
  ["request of the host: session_status", OURS],
  ["request of the agent: request_user_dialog", SERVICE],
  ["message of the agent: tool_use_summary", NOT_TRIED],
  ["message of the agent: rate_limit_event", SERVICE],
  ["message of the agent: auth_status", silentAfter("--enable-auth-status with a key")],
  ["message of the agent: active_goal", silentAfter("/goal")],
  ["message of the agent: system/control_request_progress", NOT_TRIED],
  ["message of the agent: system/model_refusal_fallback", SERVICE],
  ["message of the agent: system/model_refusal_no_fallback", SERVICE],
  ["message of the agent: system/notification", "came after /goal, for which there is no scenario yet"],
  ["message of the agent: system/local_command_output", NOT_TRIED],
  ["message of the agent: system/elicitation_complete", NOT_TRIED],
  ["message of the agent: system/memory_recall", NOT_TRIED],
  ["message of the agent: system/plugin_install", NOT_TRIED],
  ["message of the agent: system/files_persisted", NOT_TRIED],
  ["message of the agent: system/session_writes_lost", NOT_TRIED],
  ["message of the agent: system/worker_shutting_down", NOT_TRIED],
  ["message of the agent: system/queued", OURS],
  ["message of the agent: system/injected", OURS],
  ["message of the agent: system/interrupted", OURS],
  ["message of the agent: system/error", OURS],
  ["message of the agent: system/consolidation", OURS],
  ["message of the agent: system/session_created", OURS],
  ["hook event: PermissionDenied", silentAfter("a call that mode dontAsk denies")],
  ["hook event: SessionEnd", "is not called back at the end of stdin; hook-events-settings sees its command"],
  ["hook event: Setup", silentAfter("an ordinary start")],
  ["hook event: CwdChanged", silentAfter("cd in a command")],
  ["hook event: FileChanged", NOT_TRIED],
  ["hook event: WorktreeRemove", silentAfter("ExitWorktree without a worktree")],
  ["hook event: TaskCreated", "TaskCreate was not offered to the model, and calling it failed"],
  ["hook event: TaskCompleted", "TaskUpdate was not offered to the model, and calling it failed"],
  ["hook event: TeammateIdle", NOT_TRIED],
]);
