import { ProcessGroups } from "@agentwire/local/process";
import type { JsonObject } from "@agentwire/protocol";

/** Something that runs beside the conversation: a command in the background, a subagent. */
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
  /** The kind of agent, where it is one. */
  readonly subagentType?: string;
  /** The shell command, where it is one. */
  readonly command?: string;
  /** The conversation waits for it: not one of the background tasks. */
  foreground?: boolean;
  status: "running" | "completed" | "failed" | "stopped";
  /** Of a command that has ended. */
  exitCode?: number;
  /** Ends the task and everything it started. */
  stop(): Promise<void>;
}

/** How a task can end. */
export type TaskEnd = Exclude<Task["status"], "running">;

/** Told when a background task ends, so that the session can start a turn about it. */
export type TaskEnded = (task: Task, summary: string) => void;

/** The tasks of a session. */
export class Tasks {
  readonly #tasks = new Map<string, Task>();
  readonly #waiting = new Map<string, Set<() => void>>();
  /** How to let go of the calls that the conversation waits for and that could continue without it. */
  readonly #waitedFor = new Map<string, () => void>();
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

  /** Those that still run. */
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

  /** Waits for what a call does, unless that is moved to the background before it ends. */
  async waitFor<T>(callId: string, work: Promise<T>): Promise<T | "detached"> {
    const detached = new Promise<"detached">((resolve) => {
      this.#waitedFor.set(callId, () => resolve("detached"));
    });
    try {
      return await Promise.race([work, detached]);
    } finally {
      this.#waitedFor.delete(callId);
    }
  }

  /** Moves to the background what the conversation waits for: all of it, or one call. Says whether there was any. */
  detach(callId?: string): boolean {
    const chosen = [...this.#waitedFor].filter(([id]) => callId === undefined || id === callId);
    for (const [, letGo] of chosen) letGo();
    return chosen.length > 0;
  }

  /** Ends all of them, and, once `others` have had the time to leave by themselves, every process that is left: nothing outlives the session. */
  async stopAll(others: Promise<void> = Promise.resolve()): Promise<void> {
    await Promise.all([...this.running().map((task) => task.stop()), others]);
    await this.groups.endAll();
  }
}

/** The tasks that run in the background and will wake the conversation, in the words of hooks. */
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
