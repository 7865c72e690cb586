import { ProcessGroups } from "@agentwire/local/process";
import type { JsonObject } from "@agentwire/protocol";

/** Work that runs alongside the conversation: a background command or a subagent. */
export interface Task {
  readonly id: string;
  /** As on the wire: `local_bash`, `local_agent`. */
  readonly type: string;
  readonly description: string;
  readonly toolUseId: string;
  /** The file that collects the task's output. */
  readonly outputFile: string;
  /** One run of the task, as on the wire. */
  readonly runId?: string;
  /** The kind of agent, for a subagent. */
  readonly subagentType?: string;
  /** The shell command, for a command. */
  readonly command?: string;
  /** Whether the conversation waits for it; such a task is not a background task. */
  foreground?: boolean;
  status: "running" | "completed" | "failed" | "stopped";
  /** Of a command that has ended. */
  exitCode?: number;
  /** Ends the task and everything it started. */
  stop(): Promise<void>;
}

/** How a task can end. */
export type TaskEnd = Exclude<Task["status"], "running">;

/** Called when a background task ends, so that the session can start a turn about it. */
export type TaskEnded = (task: Task, summary: string) => void;

/** The tasks of a session. */
export class Tasks {
  readonly #tasks = new Map<string, Task>();
  readonly #waiting = new Map<string, Set<() => void>>();
  /** Callbacks that detach the calls that the conversation waits for but that could continue in the background. */
  readonly #detachable = new Map<string, () => void>();
  /** The process groups of all commands, including those that have ended but left something running. */
  readonly groups = new ProcessGroups();
  /** Set by the session. */
  onEnded: TaskEnded = () => {};

  add(task: Task): void {
    this.#tasks.set(task.id, task);
  }

  get(id: string): Task | undefined {
    return this.#tasks.get(id);
  }

  /** The tasks that are still running. */
  running(): readonly Task[] {
    return [...this.#tasks.values()].filter((task) => task.status === "running");
  }

  /** Marks a task as ended and resolves the waits for it. */
  end(task: Task, status: TaskEnd): void {
    task.status = status;
    for (const wake of this.#waiting.get(task.id) ?? []) wake();
    this.#waiting.delete(task.id);
  }

  /** Resolves when a task has ended, or when the signal fires. */
  async whenEnded(task: Task, signal: AbortSignal): Promise<void> {
    if (task.status !== "running" || signal.aborted) return;
    const waiting = this.#waiting.get(task.id) ?? new Set();
    this.#waiting.set(task.id, waiting);
    await new Promise<void>((resolve) => {
      const done = () => {
        waiting.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      waiting.add(done);
      signal.addEventListener("abort", done);
    });
  }

  /** Waits for the work of a call, or until it is moved to the background. */
  async waitFor<T>(callId: string, work: Promise<T>): Promise<T | "detached"> {
    const detached = new Promise<"detached">((resolve) => {
      this.#detachable.set(callId, () => resolve("detached"));
    });
    try {
      return await Promise.race([work, detached]);
    } finally {
      this.#detachable.delete(callId);
    }
  }

  /** Moves calls that the conversation waits for to the background: all of them, or one. Returns whether there were any. */
  detach(callId?: string): boolean {
    const chosen = [...this.#detachable].filter(([id]) => callId === undefined || id === callId);
    for (const [, detach] of chosen) detach();
    return chosen.length > 0;
  }

  /** Ends all tasks and, once `others` has settled, every remaining process: nothing outlives the session. */
  async stopAll(others: Promise<void> = Promise.resolve()): Promise<void> {
    await Promise.all([...this.running().map((task) => task.stop()), others]);
    await this.groups.endAll();
  }
}

/** The background tasks that will wake the conversation, in the form that hooks get. */
export function workInBackground({ tasks }: { readonly tasks: Tasks }): readonly JsonObject[] {
  const running = tasks.running().filter(({ foreground }) => !foreground);
  return running.map(({ id, type, status, description, command }) => ({
    id,
    type: type === "local_agent" ? "subagent" : "shell",
    status,
    description,
    ...(command !== undefined && { command }),
  }));
}
