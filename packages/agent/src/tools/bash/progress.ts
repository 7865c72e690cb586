import { newRunId } from "../../tasks/ids.ts";
import { tellEnded, tellStarted } from "../../tasks/notices.ts";
import type { Task, TaskEnd } from "../../tasks/tasks.ts";
import type { ToolContext } from "../tool.ts";

const TASK_AFTER_MS = 3_000;
const HEARTBEAT_MS = 30_000;

/** A command that the conversation waits for. */
export interface WaitedFor {
  readonly id: string;
  readonly command: string;
  readonly description: string;
  readonly outputFile: string;
  stop(): Promise<void>;
}

/** Tells the host that a command takes long: first as a task, then by heartbeats. Call what it returns at the end. */
export function reportProgress(
  waitedFor: WaitedFor,
  { workspace, callId }: ToolContext,
): (status: TaskEnd) => void {
  let task: Task | undefined;
  const asTask = setTimeout(() => {
    task = {
      ...waitedFor,
      type: "local_bash",
      toolUseId: callId,
      runId: newRunId(),
      foreground: true,
      status: "running",
    };
    workspace.tasks.add(task);
    tellStarted(workspace, task);
  }, TASK_AFTER_MS);
  let beats = 0;
  const heartbeat = setInterval(() => {
    workspace.tell({
      type: "tool_progress",
      tool_use_id: `${callId}-heartbeat-${beats}`,
      tool_name: "Bash",
      parent_tool_use_id: callId,
      elapsed_time_seconds: ((beats + 1) * HEARTBEAT_MS) / 1000,
      heartbeat: true,
    });
    beats += 1;
  }, HEARTBEAT_MS);
  return (status) => {
    clearTimeout(asTask);
    clearInterval(heartbeat);
    if (!task) return;
    workspace.tasks.end(task, status);
    tellEnded(workspace, task, status, task.description);
  };
}
