import { expect, test } from "vitest";
import { ruleHint } from "../../src/text/rule-hint.ts";

test.each([
  ["bash", "no built-in tool is named bash; did you mean Bash?"],
  ["bash(npm test:*)", "no built-in tool is named bash; did you mean Bash?"],
  ["WebFecth(domain:example.com)", "no built-in tool is named WebFecth; did you mean WebFetch?"],
  ["notebookedit", "no built-in tool is named notebookedit; did you mean NotebookEdit?"],
  ["read", "no built-in tool is named read; did you mean Read?"],
  ["run_shell", "no built-in tool is named run_shell; the rule only matches a tool of exactly that name"],
])("the rule %s gets a hint", (rule, hint) => {
  expect(ruleHint(rule)).toBe(hint);
});

test.each(["Bash", "Bash(ls)", "Task", "Elicitation", "mcp__github__search", "mcp__github", "Bash((", ""])(
  "the rule %s gets none",
  (rule) => {
    expect(ruleHint(rule)).toBeUndefined();
  },
);
