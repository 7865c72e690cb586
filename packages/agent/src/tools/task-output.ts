import { readOutputFrom } from "../tasks/output-tail.ts";
import type { Task } from "../tasks/tasks.ts";
import type { Tool, ToolContext } from "./tool.ts";

const MAX_BYTES = 30_000;
const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 600_000;

/** The tool that reads the new output of a background task since the last call. */
export function taskOutputTool(): Tool {
  const seen = new WeakMap<Task, number>();
  return {
    name: "TaskOutput",
    description:
      "Returns the state of a background task and what it has printed since you asked last. " +
      "With block (the default) it waits until the task has ended, at most for the timeout.",
    inputSchema: {
      type: "object",
      properties: {
        task_id: { type: "string", description: "The id of the task" },
        block: { type: "boolean", description: "Whether to wait for the end of the task (default true)" },
        timeout: {
          type: "number",
          minimum: 0,
          maximum: MAX_TIMEOUT_MS,
          description: "How many milliseconds to wait at most",
        },
      },
      required: ["task_id"],
      additionalProperties: false,
    },
    isReadOnly: () => true,
    run: async (input, context) => {
      const { tasks } = context.workspace;
      const id = String(input.task_id);
      const task = tasks.get(id);
      if (!task) return { content: `There is no task with the id ${id}.`, isError: true };
      const isWaiting = input.block !== false;
      if (isWaiting) await waitForEnd(task, input.timeout, context);
      const { text, next, skipped } = await readOutputFrom(task.outputFile, seen.get(task) ?? 0, MAX_BYTES);
      seen.set(task, next);
      const output =
        skipped > 0 ? `[${skipped} bytes left out; all of it is in ${task.outputFile}]\n${text}` : text;
      const status = task.status !== "running" ? "success" : isWaiting ? "timeout" : "not_ready";
      const { exitCode } = task;
      return {
        content: [
          `<retrieval_status>${status}</retrieval_status>`,
          `<task_id>${id}</task_id>`,
          `<task_type>${task.type}</task_type>`,
          `<status>${task.status}</status>`,
          ...(exitCode === undefined ? [] : [`<exit_code>${exitCode}</exit_code>`]),
          `<output>\n${output.trimEnd()}\n</output>`,
        ].join("\n"),
        data: {
          retrieval_status: status,
          task: {
            task_id: id,
            task_type: task.type,
            status: task.status,
            description: task.description,
            output,
            ...(exitCode !== undefined && { exitCode }),
          },
        },
      };
    },
  };
}

async function waitForEnd(task: Task, timeout: unknown, { workspace, signal }: ToolContext): Promise<void> {
  const ms =
    typeof timeout === "number" && timeout >= 0 ? Math.min(timeout, MAX_TIMEOUT_MS) : DEFAULT_TIMEOUT_MS;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  try {
    await workspace.tasks.whenEnded(task, AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
  signal.throwIfAborted();
}
