const OURS = "belongs to another dialect than the official one";
const NEEDS_SERVICE = "only a real service brings it about";
const NEEDS_SCREEN = "belongs to sessions with a screen, or to a team of them";

/** Why there is no scenario for something that the protocol has a name for. */
export const NOT_COVERED: ReadonlyMap<string, string> = new Map([
  ["request of the host: session_status", OURS],
  ["request of the agent: request_user_dialog", NEEDS_SERVICE],
  ["message of the agent: tool_use_summary", NEEDS_SERVICE],
  ["message of the agent: rate_limit_event", NEEDS_SERVICE],
  ["message of the agent: auth_status", NEEDS_SERVICE],
  ["message of the agent: active_goal", NEEDS_SCREEN],
  ["message of the agent: system/control_request_progress", "follows requests that are not public"],
  ["message of the agent: system/model_refusal_fallback", NEEDS_SERVICE],
  ["message of the agent: system/model_refusal_no_fallback", NEEDS_SERVICE],
  ["message of the agent: system/notification", NEEDS_SCREEN],
  ["message of the agent: system/local_command_output", NEEDS_SCREEN],
  ["message of the agent: system/elicitation_complete", "needs a server that asks by way of a browser"],
  ["message of the agent: system/memory_recall", NEEDS_SERVICE],
  ["message of the agent: system/plugin_install", "needs a plugin market"],
  ["message of the agent: system/files_persisted", NEEDS_SERVICE],
  ["message of the agent: system/session_writes_lost", "needs a disk that is full"],
  ["message of the agent: system/worker_shutting_down", NEEDS_SERVICE],
  ["message of the agent: system/queued", OURS],
  ["message of the agent: system/injected", OURS],
  ["message of the agent: system/interrupted", OURS],
  ["message of the agent: system/error", OURS],
  ["message of the agent: system/consolidation", OURS],
  ["message of the agent: system/session_created", OURS],
  ["hook event: PermissionDenied", "the official agent is silent about it where nobody can be asked"],
  ["hook event: SessionEnd", "runs when the host has gone; hook-events-settings sees what its command left"],
  ["hook event: Setup", "needs a flag that is not public"],
  ["hook event: CwdChanged", "the official agent is silent about it in a session without a screen"],
  ["hook event: FileChanged", "needs a watcher whose delay is not defined"],
  ["hook event: WorktreeRemove", "needs a worktree of a repository that outlives the tool"],
  ["hook event: TaskCreated", NEEDS_SCREEN],
  ["hook event: TaskCompleted", NEEDS_SCREEN],
  ["hook event: TeammateIdle", NEEDS_SCREEN],
]);
