import type { Notice } from "../host/outlet.ts";
import type { Task, TaskEnd, Tasks } from "./tasks.ts";

/** The tasks of a session, and how to notify its host. */
export interface TaskBoard {
  readonly tasks: Tasks;
  tell(notice: Notice): void;
}

/** Adds a background task and tells the host. */
export function beginTask(board: TaskBoard, task: Task): void {
  board.tasks.add(task);
  tellBackgroundTasks(board);
  tellStarted(board, task);
}

/** Tells the host that a task is running. */
export function tellStarted({ tell }: TaskBoard, task: Task): void {
  tell({
    type: "system",
    subtype: "task_started",
    ...wireIds(task),
    tool_use_id: task.toolUseId,
    description: task.description,
    is_backgrounded: task.foreground !== true,
    task_type: task.type,
  });
}

/** Moves a foreground task to the background and tells the host. */
export function moveToBackground(board: TaskBoard, task: Task): void {
  task.foreground = false;
  board.tell({
    type: "system",
    subtype: "task_updated",
    ...wireIds(task),
    patch: { is_backgrounded: true },
  });
  tellBackgroundTasks(board);
}

/** Marks a background task as ended and tells the host and, unless the task was stopped, the session. */
export function finishTask(board: TaskBoard, task: Task, status: TaskEnd, summary: string): void {
  const { tasks, tell } = board;
  tasks.end(task, status);
  tell({
    type: "system",
    subtype: "task_updated",
    ...wireIds(task),
    patch: { status: status === "stopped" ? "killed" : status, end_time: Date.now() },
  });
  tellEnded(board, task, status, summary);
  tellBackgroundTasks(board);
  if (status !== "stopped") tasks.onEnded(task, summary);
}

/** Tells the host how a task ended. */
export function tellEnded({ tell }: TaskBoard, task: Task, status: TaskEnd, summary: string): void {
  tell({
    type: "system",
    subtype: "task_notification",
    ...wireIds(task),
    tool_use_id: task.toolUseId,
    status,
    // The output of a foreground task is in its tool result.
    output_file: task.foreground ? "" : task.outputFile,
    summary,
  });
}

/** Tells the host which tasks run in the background now. */
export function tellBackgroundTasks({ tasks, tell }: TaskBoard): void {
  const background = tasks.running().filter((task) => !task.foreground);
  tell({
    type: "system",
    subtype: "background_tasks_changed",
    tasks: background.map((task) => ({
      ...wireIds(task),
      task_type: task.type,
      ...(task.subagentType !== undefined && { subagent_type: task.subagentType }),
      description: task.description,
    })),
  });
}

function wireIds({ id, runId }: Task) {
  return { task_id: id, ...(runId !== undefined && { run_id: runId }) };
}
