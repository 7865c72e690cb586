import type { SystemOf, Trailer } from "./envelope.ts";
import type { SDKMcpResourceLink } from "./mcp.ts";

type Named = { task_id: string; run_id?: string };
type Work = { total_tokens: number; tool_uses: number; duration_ms: number };

/** A task has begun. */
export type SDKTaskStartedMessage = SystemOf<
  "task_started",
  Named & {
    tool_use_id?: string;
    description: string;
    subagent_type?: string;
    is_backgrounded?: boolean;
    spawn_depth?: number;
    parent_task_id?: string;
    task_type?: string;
    workflow_name?: string;
    prompt?: string;
    skip_transcript?: boolean;
    ambient?: boolean;
  }
>;

/** A task has made progress. */
export type SDKTaskProgressMessage = SystemOf<
  "task_progress",
  Named & {
    tool_use_id?: string;
    description: string;
    subagent_type?: string;
    usage: Work;
    last_tool_name?: string;
    summary?: string;
  }
>;

/** Facts about a task have changed. */
export type SDKTaskUpdatedMessage = SystemOf<
  "task_updated",
  Named & {
    patch: {
      status?: "pending" | "running" | "completed" | "failed" | "killed" | "paused";
      description?: string;
      end_time?: number;
      total_paused_ms?: number;
      error?: string;
      is_backgrounded?: boolean;
    };
  }
>;

/** A task has ended. */
export type SDKTaskNotificationMessage = SystemOf<
  "task_notification",
  Named & {
    tool_use_id?: string;
    status: "completed" | "failed" | "stopped";
    reason?: "worker_restart";
    output_file: string;
    summary: string;
    usage?: Work;
    resource_links?: SDKMcpResourceLink[];
    skip_transcript?: boolean;
    ambient?: boolean;
  }
>;

/** All background tasks, after one of them was added or removed. */
export type SDKBackgroundTasksChangedMessage = SystemOf<
  "background_tasks_changed",
  {
    tasks: (Named & {
      task_type: string;
      subagent_type?: string;
      description: string;
      parent_task_id?: string;
      ambient?: boolean;
    })[];
  }
>;

/** A tool is still running. */
export type SDKToolProgressMessage = Trailer & {
  type: "tool_progress";
  tool_use_id: string;
  tool_name: string;
  parent_tool_use_id: string | null;
  elapsed_time_seconds: number;
  task_id?: string;
  heartbeat?: boolean;
  subagent_type?: string;
  subagent_retry?: {
    agent_id: string;
    attempt: number;
    max_retries: number;
    retry_delay_ms: number;
    error_status: number | null;
    error_category: string;
  };
};

/** A one-sentence summary of some tool calls. */
export type SDKToolUseSummaryMessage = Trailer & {
  type: "tool_use_summary";
  summary: string;
  preceding_tool_use_ids: string[];
};

/** How much the model has thought so far. */
export type SDKThinkingTokensMessage = SystemOf<
  "thinking_tokens",
  { estimated_tokens: number; estimated_tokens_delta: number; user_message_uuid?: string }
>;

type NamedHook = { hook_id: string; hook_name: string; hook_event: string };
type HookText = { stdout: string; stderr: string; output: string };

/** A hook has begun. */
export type SDKHookStartedMessage = SystemOf<"hook_started", NamedHook>;

/** A hook has written something. */
export type SDKHookProgressMessage = SystemOf<"hook_progress", NamedHook & HookText>;

/** A hook has ended. */
export type SDKHookResponseMessage = SystemOf<
  "hook_response",
  NamedHook & HookText & { exit_code?: number; outcome: "success" | "error" | "cancelled" }
>;

/** A request of the host takes longer. */
export type SDKControlRequestProgressMessage = SystemOf<
  "control_request_progress",
  {
    request_id: string;
    status: "started" | "api_retry";
    attempt?: number;
    max_retries?: number;
    retry_delay_ms?: number;
    error_status?: number | null;
  }
>;

/** A plugin is being installed. */
export type SDKPluginInstallMessage = SystemOf<
  "plugin_install",
  { status: "started" | "installed" | "failed" | "completed"; name?: string; error?: string }
>;
