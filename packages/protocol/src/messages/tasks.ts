import { array } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { boolean, jsonObject, number, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { about } from "../schema/schema.ts";
import { system } from "./common.ts";

const count = defaulted(number, 0);

const taskUsage = object({ total_tokens: count, tool_uses: count, duration_ms: count });

/** What a task has used so far. */
export type TaskUsage = Infer<typeof taskUsage>;

const NO_USAGE: TaskUsage = Object.freeze({ total_tokens: 0, tool_uses: 0, duration_ms: 0 });

const task = {
  task_id: string,
  run_id: optional(string, "id of one run of the task; a resumed task gets a new one"),
};

const ambient = optional(boolean, "not activity: leave it out of busy indicators");

const taskType = oneOf("local_agent", "local_bash", "local_workflow", "mcp_task");

/** A subagent, shell command or workflow has started. */
export const taskStartedMessage = about(
  "R",
  "Sent when a subagent or background task starts, and when a foreground command takes long.",
  system("task_started", {
    ...task,
    description: defaulted(string, ""),
    tool_use_id: optional(string),
    task_type: optional(taskType),
    subagent_type: optional(string),
    is_backgrounded: optional(boolean),
    spawn_depth: optional(number, "1 for a subagent of the main conversation"),
    parent_task_id: optional(string),
    workflow_name: optional(string),
    prompt: optional(string),
    skip_transcript: optional(boolean, "housekeeping: not for the transcript"),
    ambient,
  }),
);

/** A subagent, shell command or workflow has started. */
export type TaskStartedMessage = Infer<typeof taskStartedMessage>;

/** A task makes progress. */
export const taskProgressMessage = about(
  "R",
  "Sent while a subagent works, after each of its tool calls.",
  system("task_progress", {
    ...task,
    description: defaulted(string, ""),
    usage: defaulted(taskUsage, NO_USAGE),
    tool_use_id: optional(string),
    subagent_type: optional(string),
    last_tool_name: optional(string),
    summary: optional(string, "one line for the task's row"),
  }),
);

/** A task makes progress. */
export type TaskProgressMessage = Infer<typeof taskProgressMessage>;

/** A task has changed. */
export const taskUpdatedMessage = about(
  "R",
  "Sent when a task changes: merge the patch into its known state.",
  system("task_updated", {
    ...task,
    patch: object({
      status: optional(oneOf("pending", "running", "completed", "failed", "killed", "paused")),
      description: optional(string),
      end_time: optional(number, "milliseconds since 1970"),
      total_paused_ms: optional(number),
      error: optional(string),
      is_backgrounded: optional(boolean),
    }),
  }),
);

/** A task has changed. */
export type TaskUpdatedMessage = Infer<typeof taskUpdatedMessage>;

/** A task has ended. */
export const taskNotificationMessage = about(
  "R",
  "Sent when a task ends; after the result it also starts a turn of its own.",
  system("task_notification", {
    ...task,
    status: oneOf("completed", "failed", "stopped"),
    output_file: defaulted(string, "", "path of the full output; empty if there is none"),
    summary: defaulted(string, ""),
    tool_use_id: optional(string),
    reason: optional(oneOf("worker_restart"), "set if the task was ended from outside"),
    usage: optional(taskUsage),
    resource_links: optional(array(jsonObject), "files that an MCP task returned by reference"),
    skip_transcript: optional(boolean, "housekeeping: not for the transcript"),
    ambient,
  }),
);

/** A task has ended. */
export type TaskNotificationMessage = Infer<typeof taskNotificationMessage>;

/** All background tasks that are alive. */
export const backgroundTasksMessage = about(
  "X",
  "Sent when the set of background tasks changes, and after a repeated `initialize`; it replaces the previous set.",
  system("background_tasks_changed", {
    tasks: array(
      object({
        ...task,
        task_type: defaulted(taskType, ""),
        description: defaulted(string, ""),
        subagent_type: optional(string),
        parent_task_id: optional(string),
        ambient,
      }),
    ),
  }),
);

/** All background tasks that are alive. */
export type BackgroundTasksMessage = Infer<typeof backgroundTasksMessage>;
