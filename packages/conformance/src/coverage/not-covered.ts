/** The official wire does not have it. */
export const OURS = "our addition; not part of the official wire";
const REMOTE = "sent only by agents that run on a separate machine for the vendor's service";

/** The official agent did not send it when it might have. */
const silentAfter = (what: string) => `not seen when tried with ${what}`;

/** Why there is no scenario for something that the protocol names. */
export const NOT_COVERED: ReadonlyMap<string, string> = new Map([
  ["request of the host: session_status", OURS],
  ["request of the agent: read_text_file", OURS],
  ["request of the agent: write_text_file", OURS],
  ["request of the agent: create_terminal", OURS],
  ["request of the agent: terminal_output", OURS],
  ["request of the agent: wait_for_terminal_exit", OURS],
  ["request of the agent: kill_terminal", OURS],
  ["request of the agent: release_terminal", OURS],
  [
    "request of the agent: request_user_dialog",
    silentAfter("two refusals, a fallback model, and a host that supports the dialog"),
  ],
  [
    "message of the agent: active_goal",
    silentAfter("/goal with a goal, a check of the goal, and /goal clear"),
  ],
  [
    "message of the agent: system/model_refusal_fallback",
    silentAfter("two refusals by two models, with --fallback-model"),
  ],
  [
    "message of the agent: system/local_command_output",
    silentAfter("/cost, /usage, /status, /help, /voice, /fast and /stats"),
  ],
  ["message of the agent: system/memory_recall", silentAfter("prompts about the project's memories")],
  ["message of the agent: system/files_persisted", REMOTE],
  ["message of the agent: system/worker_shutting_down", REMOTE],
  ["message of the agent: system/queued", OURS],
  ["message of the agent: system/injected", OURS],
  ["message of the agent: system/interrupted", OURS],
  ["message of the agent: system/error", OURS],
  ["message of the agent: system/consolidation", OURS],
  ["message of the agent: system/session_created", OURS],
  [
    "hook event: CwdChanged",
    silentAfter("cd in a command, for a hook of the host and a hook command in the settings"),
  ],
  ["hook event: FileChanged", silentAfter("a change to a file that a matcher or watchPaths names")],
  ["hook event: TeammateIdle", silentAfter("a named subagent in a team, with teams enabled")],
]);
