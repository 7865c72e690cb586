import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  parseRule,
  parseRuleList,
  permissionRule,
  printRule,
  ruleFromValue,
  ruleToValue,
} from "../../../src/permission/rule/rule.ts";

describe("parseRule", () => {
  test.each([
    ["Bash", { toolName: "Bash" }],
    ["Bash()", { toolName: "Bash" }],
    ["Bash(*)", { toolName: "Bash" }],
    ["  Read  ", { toolName: "Read" }],
    ["Bash(git status *)", { toolName: "Bash", content: "git status *" }],
    ["Bash(npm run test:*)", { toolName: "Bash", content: "npm run test:*" }],
    ["Bash(echo \\(a\\) \\\\)", { toolName: "Bash", content: "echo (a) \\" }],
    ["Bash(echo (a))", { toolName: "Bash", content: "echo (a)" }],
    ["Bash(grep a\\*)", { toolName: "Bash", content: "grep a\\*" }],
    ["Bash( )", { toolName: "Bash", content: " " }],
    ["WebFetch(domain:example.com)", { toolName: "WebFetch", content: "domain:example.com" }],
    ["mcp__server", { toolName: "mcp__server" }],
    ["mcp__server__*", { toolName: "mcp__server__*" }],
    ["mcp__server__tool()", { toolName: "mcp__server__tool" }],
    ["constructor(__proto__)", { toolName: "constructor", content: "__proto__" }],
  ])("parses %j", (text, rule) => {
    expect(parseRule(text)).toEqual({ ok: true, rule });
  });

  test.each([
    ["", "it names no tool"],
    ["(ls)", "it names no tool"],
    ["Bash(ls", "it doesn't end with the closing bracket"],
    ["Bash(ls) x", "it doesn't end with the closing bracket"],
    ["Bash(ls\\)", "it doesn't end with the closing bracket"],
    ["Bash(", "it doesn't end with the closing bracket"],
    ["Bash)", "it has a character that no tool name may have"],
    ["Ba sh", "it has a character that no tool name may have"],
    ["Bash\n(ls)", "it has a character that no tool name may have"],
    ["Read,Edit", "it has a character that no tool name may have"],
    ["Bash\u200b(ls)", "it has a character that no tool name may have"],
    ["mcp__server__tool(x)", "a rule for an MCP tool takes no brackets"],
  ])("refuses %j with a reason", (text, reason) => {
    expect(parseRule(text)).toMatchObject({ ok: false, reason });
  });

  test.each([
    ["Task", "Agent"],
    ["KillShell", "TaskStop"],
    ["KillBash", "TaskStop"],
    ["ListMcpResources", "ListMcpResourcesTool"],
    ["ReadMcpResource", "ReadMcpResourceTool"],
    ["ReadMcpResourceDir", "ReadMcpResourceDirTool"],
    ["Brief", "SendUserMessage"],
    ["ListPeers", "ListAgents"],
  ])("reads the older name %s as %s", (older, current) => {
    expect(parseRule(`${older}(x)`)).toEqual({ ok: true, rule: { toolName: current, content: "x" } });
  });

  test("parses its own printed rules to the same rules", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."Ab(\\)* ,:\n_é") }), (text) => {
        const reading = parseRule(text);
        if (reading.ok) expect(parseRule(printRule(reading.rule))).toEqual(reading);
      }),
      { numRuns: 2000 },
    );
  });

  test("parses any printed rule to the same rule", () => {
    fc.assert(
      fc.property(fc.string(), (content) => {
        const rule = permissionRule("Bash", content);
        expect(parseRule(printRule(rule))).toEqual({ ok: true, rule });
      }),
    );
  });

  test("parses a long row of backslashes in linear time", () => {
    expect(parseRule(`Bash(${"\\".repeat(200_000)}`)).toMatchObject({ ok: false });
    expect(parseRule(`Bash(${"\\".repeat(200_000)})`)).toMatchObject({ ok: true });
  });
});

describe("parseRuleList", () => {
  const names = (text: string) =>
    parseRuleList(text).map((reading) => (reading.ok ? printRule(reading.rule) : `bad: ${reading.text}`));

  test.each([
    ["", []],
    [" , ,", []],
    ["A,B(c d) E", ["A", "B(c d)", "E"]],
    ["Read, Edit", ["Read", "Edit"]],
    ["Bash(git log --format=a,b *),Read", ["Bash(git log --format=a,b *)", "Read"]],
    ["Task Bash()", ["Agent", "Bash"]],
    // The split ignores backslashes, so the inner bracket ends the rule.
    ["Bash(echo \\(a\\) b)", ["bad: Bash(echo \\(a\\)", "bad: b)"]],
    ["Bash(echo \\(), Edit", ["Bash(echo \\()", "Edit"]],
    ["Bash(ls, Edit", ["bad: Bash(ls, Edit"]],
  ])("splits %j outside brackets", (text, expected) => {
    expect(names(text)).toEqual(expected);
  });
});

describe("the form of permission updates", () => {
  test.each([
    [{ toolName: "Bash" }, { toolName: "Bash" }],
    [{ toolName: "Bash", ruleContent: null }, { toolName: "Bash" }],
    [{ toolName: "Bash", ruleContent: "" }, { toolName: "Bash" }],
    [{ toolName: "Bash", ruleContent: "*" }, { toolName: "Bash" }],
    [
      { toolName: "Task", ruleContent: "reviewer" },
      { toolName: "Agent", content: "reviewer" },
    ],
    [
      { toolName: "Bash", ruleContent: "echo (a)" },
      { toolName: "Bash", content: "echo (a)" },
    ],
  ])("%j is read", (value, rule) => {
    expect(ruleFromValue(value)).toEqual(rule);
  });

  test("a rule without content has no ruleContent at all", () => {
    expect(ruleToValue({ toolName: "Read" })).toEqual({ toolName: "Read" });
    expect(ruleToValue({ toolName: "Bash", content: "ls *" })).toEqual({
      toolName: "Bash",
      ruleContent: "ls *",
    });
  });
});
