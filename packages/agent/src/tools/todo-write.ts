import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { textField } from "./input-fields.ts";
import type { Todo } from "./todo-list.ts";
import type { Tool } from "./tool.ts";

/** Replaces the model's todo list. */
export const todoWriteTool: Tool = {
  name: "TodoWrite",
  description: `Writes your list of what is to be done, which the user sees. Use it for work of three or more steps, and leave it out for less.
Each call gives the whole list. Keep exactly one item in_progress while you work, and mark each completed as soon as it is.`,
  inputSchema: {
    type: "object",
    properties: {
      todos: {
        type: "array",
        description: "The whole list.",
        items: {
          type: "object",
          properties: {
            content: { type: "string", minLength: 1, description: 'What to do: "Run the tests".' },
            status: { type: "string", enum: ["pending", "in_progress", "completed"] },
            activeForm: {
              type: "string",
              minLength: 1,
              description: 'The same while it is done: "Running the tests".',
            },
          },
          required: ["content", "status", "activeForm"],
          additionalProperties: false,
        },
      },
    },
    required: ["todos"],
    additionalProperties: false,
  },
  isReadOnly: () => false,
  run: async (input, { workspace, signal }) => {
    const oldTodos = workspace.todos.items;
    const newTodos = todosOf(input);
    const objections = await workspace.todos.replace(newTodos, signal);
    if (objections.length > 0)
      return { content: `The list stays as it was: ${objections.join("; ")}`, isError: true };
    const open = newTodos.filter((todo) => todo.status !== "completed").length;
    return {
      content: `Todos have been modified successfully: ${newTodos.length} items, ${open} of them open.`,
      data: { oldTodos, newTodos },
    };
  },
};

function todosOf({ todos }: JsonObject): readonly Todo[] {
  if (!Array.isArray(todos) || !todos.every(isJsonObject))
    throw new Error("The parameter `todos` must be a list of items.");
  return todos.map((todo) => ({
    content: textField(todo, "content"),
    status: textField(todo, "status"),
    activeForm: textField(todo, "activeForm"),
  }));
}
