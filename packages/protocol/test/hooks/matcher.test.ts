import { describe, expect, test } from "vitest";
import type { HookEvent } from "../../src/hooks/events.ts";
import { type HookInput, hookInput } from "../../src/hooks/events.ts";
import { compileMatcher, matchedNames } from "../../src/hooks/matcher.ts";
import { compilePattern } from "../../src/hooks/pattern.ts";
import { inputFor } from "./samples.ts";

function told(event: HookEvent, change: object = {}): HookInput {
  const input = inputFor(event, change);
  if (!hookInput.accepts(input)) throw new Error(`no input for ${event}`);
  return input;
}

const runs = (matcher: string | null | undefined, tool: string) =>
  compileMatcher(matcher).matches(matchedNames(told("PreToolUse", { tool_name: tool })));

describe("a matcher", () => {
  const cases: [string | null | undefined, string, boolean][] = [
    [undefined, "Bash", true],
    [null, "Bash", true],
    ["", "Bash", true],
    ["*", "Bash", true],
    [".*", "Bash", true],
    ["Bash", "Bash", true],
    ["Bash", "BashOutput", false],
    ["bash", "Bash", false],
    ["Edit|Write", "Write", true],
    ["Edit, Write", "Write", true],
    [" Edit | Write ", "Edit", true],
    ["Edit|Write", "MultiEdit", false],
    ["|", "Bash", false],
    ["code-reviewer", "code-reviewer", true],
    ["mcp__server", "mcp__server__tool", false],
    ["mcp__server__.*", "mcp__server__tool", true],
    ["mcp__.*__write", "mcp__a__write_file", true],
    ["^Notebook", "NotebookEdit", true],
    ["Edit.*", "NotebookEdit", true],
    ["^Edit$", "NotebookEdit", false],
    ["^(?!Read$)", "Read", false],
    ["^(?!Read$)", "Bash", true],
    ["(Edit|Write)$", "MultiEdit", true],
    ["[", "[", false],
    ["(", "Bash", false],
    ["Bash(ls)+(", "Bash", false],
  ];

  test.each(cases)("%j matches the tool %j: %j", (matcher, tool, expected) => {
    expect(runs(matcher, tool)).toBe(expected);
  });

  const renamed: [string, string, boolean][] = [
    ["Task", "Agent", true],
    ["Agent", "Task", true],
    ["Task", "Task", true],
    ["^Task$", "Agent", true],
    ["KillBash", "KillShell", true],
    ["KillShell|Read", "TaskStop", true],
    ["Task", "TaskStop", false],
  ];

  test.each(renamed)("%j matches the tool %j by its other names: %j", (matcher, tool, expected) => {
    expect(runs(matcher, tool)).toBe(expected);
  });

  test("is compared with the base name of a changed file", () => {
    const names = matchedNames(told("FileChanged", { file_path: "/home/.env/notes.txt" }));
    expect(compileMatcher("\\.env$").matches(names)).toBe(false);
    expect(compileMatcher("^notes\\.txt$").matches(names)).toBe(true);
  });

  test("does not treat an agent type as a tool", () => {
    const names = matchedNames(told("SubagentStart", { agent_type: "Task" }));
    expect(compileMatcher("Agent").matches(names)).toBe(false);
  });

  test("is ignored if the event takes none", () => {
    const names = matchedNames(told("Stop"));
    expect(names).toEqual([]);
    for (const matcher of ["Bash", "^Bash$", "("]) expect(compileMatcher(matcher).matches(names)).toBe(true);
  });

  test("runs the hook for a name that is too long to test", () => {
    expect(runs("^Bash$", "x".repeat(300))).toBe(true);
    expect(runs("Bash", "x".repeat(300))).toBe(false);
  });

  test.each(["(", "[a", "(a+)+$", "x".repeat(1001).concat("$")])(
    "reports a problem if it is %j",
    (matcher) => {
      expect(compileMatcher(matcher).problem).toMatch(/^the matcher (is|repeats) /);
    },
  );

  test.each(["Bash", "mcp__.*", "^(Edit|Write)$", "*"])("reports no problem if it is %j", (matcher) => {
    expect(compileMatcher(matcher).problem).toBeUndefined();
  });
});

describe("a pattern", () => {
  test.each([
    "(a+)+$",
    "(a|a)*b",
    "((a+)b)*",
    "(?:a?){30}x",
    "(a*){2,}",
    "^(([a-z])+.)+[A-Z]$",
    "(\\w+\\s?)*$",
  ])("%j, which could take forever, is refused", (source) => {
    expect(compilePattern(source)).toHaveProperty("problem");
  });

  test.each(["[(+]*", "\\(a+\\)+", "(?:abc)+", "(a|b)?", "(?<name>x)*", "[\\])]+(a)*", "a{2,3}", "(?!x).*"])(
    "%j is accepted",
    (source) => {
      expect(compilePattern(source)).toHaveProperty("regex");
    },
  );
});
