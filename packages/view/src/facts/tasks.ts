import type { TaskUpdate } from "@agentwire/api";

/** Something that runs alongside the conversation or within it: a command or a subagent. */
export interface Task {
  readonly status: string;
  readonly description: string;
  /** The agent's latest report on it; empty if there is none. */
  readonly news: string;
  /** The agent's name for it, such as `local_bash` or `local_agent`. */
  readonly kind: string;
  /** The call that started it; empty if unknown. */
  readonly toolUseId: string;
}

/** The tasks of a session, by id. */
export type Tasks = ReadonlyMap<string, Task>;

/** The tasks after an update about one of them. */
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

/** The tasks after the process they ran in has ended. */
export const tasksOver = (tasks: Tasks): Tasks =>
  new Map([...tasks].map(([id, task]) => [id, isRunning(task) ? { ...task, status: "stopped" } : task]));

/** Whether a task is still running. */
export const isRunning = ({ status }: Task): boolean => status === "running";
