import { expect, test } from "vitest";
import { exactRule } from "../../src/text/exact-rule.ts";

test.each([
  ["Bash", { command: "touch .vscode/tasks.json" }, "Bash(touch .vscode/tasks.json)"],
  ["Bash", { command: "(cd a && ls)" }, "Bash(\\(cd a && ls\\))"],
  ["Bash", { command: "one\ntwo" }, ""],
  ["Bash", { command: "rm *.txt" }, ""],
  ["Write", { file_path: "/p/.vscode/tasks.json" }, "Edit(//p/.vscode/tasks.json)"],
  ["NotebookEdit", { notebook_path: "/p/a.ipynb" }, "Edit(//p/a.ipynb)"],
  ["Read", { file_path: "notes.md" }, "Read(/notes.md)"],
  ["mcp__github__search", { query: "x" }, "mcp__github__search"],
])("a call of %s with %j is allowed exactly by %s", (toolName, input, rule) => {
  expect(exactRule(toolName, JSON.stringify(input))).toBe(rule);
});
