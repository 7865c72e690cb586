import { refused } from "./outcome.ts";
import type { Tool } from "./tool.ts";

/** The tool that ends a background task. */
export function taskStopTool(): Tool {
  return {
    name: "TaskStop",
    description: "Ends a task that runs in the background, by its id, with everything it started.",
    inputSchema: {
      type: "object",
      properties: {
        task_id: { type: "string", description: "The id of the task" },
        shell_id: { type: "string", description: "An older name of task_id" },
      },
      additionalProperties: false,
    },
    isReadOnly: () => false,
    run: async ({ task_id, shell_id }, { workspace }) => {
      const id = task_id ?? shell_id;
      if (typeof id !== "string") return refused("Missing required parameter: task_id");
      const task = workspace.tasks.get(id);
      if (!task) return refused(`No task found with ID: ${id}`);
      if (task.status !== "running")
        return refused(`The task ${id} is no longer running: it is ${task.status}.`);
      await task.stop();
      const data = {
        message: `The task ${id} was stopped: ${task.command ?? task.description}`,
        task_id: id,
        task_type: task.type,
        ...(task.command !== undefined && { command: task.command }),
      };
      return { content: JSON.stringify(data), data };
    },
  };
}
