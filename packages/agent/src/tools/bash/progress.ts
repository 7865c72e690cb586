import { newRunId } from "../../tasks/ids.ts";
import { beginTask, moveToBackground, tellEnded, tellStarted } from "../../tasks/notices.ts";
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

/** Reports a long-running command to the host. Exactly one of the two methods is called, once. */
export interface ProgressReport {
  end(status: TaskEnd): void;
  /** The conversation no longer waits for the command: from here on it is a background task. */
  moveToBackground(): Task;
}

/** Reports a long-running command to the host: first as a task, then with heartbeats. */
export function reportProgress(
  waitedFor: WaitedFor,
  { workspace, callId }: Pick<ToolContext, "workspace" | "callId">,
): ProgressReport {
  const task: Task = {
    ...waitedFor,
    type: "local_bash",
    toolUseId: callId,
    runId: newRunId(),
    foreground: true,
    status: "running",
  };
  let isTold = false;
  const asTask = setTimeout(() => {
    isTold = true;
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
  const fallSilent = () => {
    clearTimeout(asTask);
    clearInterval(heartbeat);
  };
  return {
    end(status) {
      fallSilent();
      if (!isTold) return;
      workspace.tasks.end(task, status);
      tellEnded(workspace, task, status, task.description);
    },
    moveToBackground() {
      fallSilent();
      if (isTold) moveToBackground(workspace, task);
      else beginTask(workspace, Object.assign(task, { foreground: false }));
      return task;
    },
  };
}
