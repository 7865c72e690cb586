import { expect, test } from "vitest";
import { fileWorkspace } from "./file-workspace.ts";

test("TodoWrite replaces the list, and returns both lists to the host", async () => {
  await using files = await fileWorkspace();
  const first = [{ content: "Run", status: "in_progress", activeForm: "Running" }];
  const second = [{ content: "Run", status: "completed", activeForm: "Running" }];
  await files.call("TodoWrite", { todos: first });
  const outcome = await files.call("TodoWrite", { todos: second });
  expect(outcome.data).toEqual({ oldTodos: first, newTodos: second });
  expect(files.workspace.todos.items).toEqual(second);
});

test("TodoWrite rejects an unknown status", async () => {
  await using files = await fileWorkspace();
  const todos = [{ content: "Run", status: "someday", activeForm: "Running" }];
  await expect(files.call("TodoWrite", { todos })).rejects.toThrow("`todos[0].status` must be one of");
});
