import type { HookEvent } from "../../src/hooks/events.ts";

interface Sample {
  /** The fields of the event besides those common to all events. */
  readonly fields: object;
  /** A change that makes the event unreadable or wrong. */
  readonly fault: object;
}

const call = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t" };
const task = { task_id: "1", task_subject: "s" };
const modelSwitch = {
  from_model: "a",
  to_model: "b",
  requested_model: null,
  source: "sdk",
  context_tokens: 1,
  prompt_cache_warm: true,
  cache_ttl: "5m",
  estimated_cache_write_usd: 0.1,
  pricing: "catalog",
};

export const hookSamples: Readonly<Record<HookEvent, Sample>> = {
  PreToolUse: { fields: call, fault: { tool_name: undefined } },
  PostToolUse: { fields: { ...call, tool_response: "a" }, fault: { tool_input: undefined } },
  PostToolUseFailure: { fields: { ...call, error: "e" }, fault: { error: undefined } },
  PostToolBatch: { fields: { tool_calls: [call] }, fault: { tool_calls: {} } },
  PermissionRequest: { fields: call, fault: { tool_name: {} } },
  PermissionDenied: { fields: { ...call, reason: "r" }, fault: { tool_name: undefined } },
  UserPromptSubmit: { fields: { prompt: "p" }, fault: { prompt: undefined } },
  UserPromptExpansion: {
    fields: { expansion_type: "slash_command", command_name: "c", command_args: "", prompt: "p" },
    fault: { command_name: undefined },
  },
  Stop: { fields: { stop_hook_active: false }, fault: { stop_hook_active: "perhaps" } },
  StopFailure: { fields: { error: "rate_limit" }, fault: { error: undefined } },
  SubagentStart: { fields: { agent_id: "a", agent_type: "t" }, fault: { agent_id: undefined } },
  SubagentStop: {
    fields: { stop_hook_active: false, agent_id: "a", agent_transcript_path: "/t", agent_type: "t" },
    fault: { agent_id: undefined },
  },
  SessionStart: { fields: { source: "startup" }, fault: { source: undefined } },
  SessionEnd: { fields: { reason: "clear" }, fault: { reason: undefined } },
  Setup: { fields: { trigger: "init" }, fault: { trigger: undefined } },
  PreCompact: { fields: { trigger: "auto", custom_instructions: null }, fault: { trigger: undefined } },
  PostCompact: { fields: { trigger: "auto", compact_summary: "s" }, fault: { trigger: undefined } },
  PreModelSwitch: { fields: modelSwitch, fault: { to_model: undefined } },
  PostModelSwitch: { fields: modelSwitch, fault: { to_model: undefined } },
  Elicitation: { fields: { mcp_server_name: "s", message: "m" }, fault: { message: undefined } },
  ElicitationResult: { fields: { mcp_server_name: "s", action: "accept" }, fault: { action: "perhaps" } },
  ConfigChange: { fields: { source: "skills" }, fault: { source: undefined } },
  InstructionsLoaded: {
    fields: { file_path: "/f", memory_type: "User", load_reason: "include" },
    fault: { file_path: undefined },
  },
  CwdChanged: { fields: { old_cwd: "/a", new_cwd: "/b" }, fault: { new_cwd: undefined } },
  FileChanged: { fields: { file_path: "/f", event: "add" }, fault: { file_path: undefined } },
  DirectoryAdded: { fields: { directory: "/d", source: "slash_command" }, fault: { directory: undefined } },
  WorktreeCreate: { fields: { name: "n" }, fault: { name: undefined } },
  WorktreeRemove: { fields: { worktree_path: "/w" }, fault: { worktree_path: undefined } },
  TaskCreated: { fields: task, fault: { task_id: undefined } },
  TaskCompleted: { fields: task, fault: { task_id: undefined } },
  TeammateIdle: { fields: { teammate_name: "n", team_name: "t" }, fault: { teammate_name: undefined } },
  Notification: { fields: { message: "m", notification_type: "idle" }, fault: { message: undefined } },
  MessageDisplay: {
    fields: { turn_id: "t", message_id: "m", index: 0, final: true, delta: "" },
    fault: { delta: undefined },
  },
};

/** The complete input of a hook for `event`. */
export const inputFor = (event: HookEvent, change: object = {}): object => ({
  session_id: "s",
  transcript_path: "/t",
  cwd: "/w",
  hook_event_name: event,
  ...hookSamples[event].fields,
  ...change,
});
