import type { TaskUpdate } from "@agentwire/api";

/** Something that runs beside the conversation, or inside of it: a command, or a subagent. */
export interface Task {
  readonly status: string;
  /** What it is. */
  readonly description: string;
  /** The last that the agent has said of it; empty if it has said nothing. */
  readonly news: string;
  /** As the agent calls it: `local_bash`, `local_agent`. */
  readonly kind: string;
  /** The call that started it; empty where that is not known. */
  readonly toolUseId: string;
}

/** The tasks of a session, by their ids. */
export type Tasks = ReadonlyMap<string, Task>;

/** The tasks after one of them has begun, continues or has ended. */
export function tasksAfter(tasks: Tasks, update: TaskUpdate): Tasks {
  const { taskId, status, description, kind, toolUseId } = update;
  const known = tasks.get(taskId);
  return new Map(tasks).set(taskId, {
    status,
    description: known?.description || description,
    news: known && description !== known.description ? description : "",
    kind: kind || (known?.kind ?? ""),
    toolUseId: toolUseId || (known?.toolUseId ?? ""),
  });
}

/** The tasks after the process has ended that they ran in. */
export const tasksOver = (tasks: Tasks): Tasks =>
  new Map([...tasks].map(([id, task]) => [id, isRunning(task) ? { ...task, status: "stopped" } : task]));

/** Whether a task is not over. */
export const isRunning = ({ status }: Task): boolean => status === "running";
