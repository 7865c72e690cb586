import type { Hooks } from "../hooks/hooks.ts";
import type { TodoList } from "../tools/todo-list.ts";

/** Lets hooks have a say in the model's own list of work: what they object to is neither put on it nor marked as done. */
export function askTaskHooks(todos: TodoList, hooks: Hooks): void {
  todos.objection = async ({ event, id, todo }, signal) => {
    if (!hooks.listens(event)) return undefined;
    const said = await hooks.run(event, { task_id: id, task_subject: todo.content }, { signal });
    return said.block?.reason ?? said.stop?.reason;
  };
}
