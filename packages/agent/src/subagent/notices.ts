import { tellBackgroundTasks } from "../tasks/notices.ts";
import type { Task, TaskEnd } from "../tasks/tasks.ts";
import type { Workspace } from "../tools/workspace.ts";

/** A subagent as a task. */
export interface SubagentTask extends Task {
  readonly subagentType: string;
  readonly prompt: string;
  /** 1 for a subagent of the session itself. */
  readonly depth: number;
}

/** What a subagent has used so far. */
export interface SubagentUsage {
  readonly total_tokens: number;
  readonly tool_uses: number;
  readonly duration_ms: number;
}

/** Adds a subagent to the tasks and tells the host. */
export function beginSubagent(workspace: Workspace, task: SubagentTask): void {
  workspace.tasks.add(task);
  if (!task.foreground) tellBackgroundTasks(workspace);
  workspace.tell({
    type: "system",
    subtype: "task_started",
    ...idsOf(task),
    description: task.description,
    subagent_type: task.subagentType,
    is_backgrounded: task.foreground !== true,
    spawn_depth: task.depth,
    task_type: task.type,
    prompt: task.prompt,
  });
}

/** Tells the host what a subagent is doing. */
export function tellProgress(
  { tell }: Workspace,
  task: SubagentTask,
  doing: {
    readonly usage: SubagentUsage;
    readonly tool?: string;
    readonly description?: string | undefined;
    /** The subagent's own summary. */
    readonly summary?: string;
  },
): void {
  tell({
    type: "system",
    subtype: "task_progress",
    ...idsOf(task),
    description: doing.description ?? task.description,
    subagent_type: task.subagentType,
    usage: { ...doing.usage },
    ...(doing.tool !== undefined && { last_tool_name: doing.tool }),
    ...(doing.summary !== undefined && { summary: doing.summary }),
  });
}

/** Marks a subagent as ended and tells the host, and the session too if it did not wait for it. */
export function finishSubagent(
  workspace: Workspace,
  task: SubagentTask,
  end: { readonly status: TaskEnd; readonly summary: string; readonly usage: SubagentUsage },
): void {
  const { tasks, tell } = workspace;
  const { status, summary, usage } = end;
  tasks.end(task, status);
  const { tool_use_id, ...ids } = idsOf(task);
  const patch = { status: status === "stopped" ? "killed" : status, end_time: Date.now() };
  tell({ type: "system", subtype: "task_updated", ...ids, patch });
  tell({
    type: "system",
    subtype: "task_notification",
    ...ids,
    tool_use_id,
    status,
    output_file: task.outputFile,
    summary,
    usage: { ...usage },
  });
  if (task.foreground) return;
  tellBackgroundTasks(workspace);
  if (status !== "stopped") tasks.onEnded(task, summary);
}

function idsOf({ id, runId, toolUseId }: SubagentTask) {
  return { task_id: id, ...(runId !== undefined && { run_id: runId }), tool_use_id: toolUseId };
}
