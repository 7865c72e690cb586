import { describe, expect, test } from "vitest";
import type { RuleBehavior } from "../../../src/permission/rule/given-rule.ts";
import { judge } from "../../../src/permission/rule/judge.ts";
import { CONTEXT, given } from "./given.ts";

const behaviorOf = (
  behavior: RuleBehavior,
  rule: string,
  toolName: string,
  input: Record<string, unknown> = {},
) => judge({ toolName, input }, [given(behavior, rule)], CONTEXT).behavior;

describe("a rule for MCP tools", () => {
  test.each<[RuleBehavior, string, string, string]>([
    ["allow", "mcp__a__read", "mcp__a__read", "allow"],
    ["allow", "mcp__a__read", "mcp__a__reader", "none"],
    ["allow", "mcp__a__read", "mcp__a__read__x", "none"],
    ["allow", "mcp__a", "mcp__a__read", "allow"],
    ["allow", "mcp__a", "mcp__ab__read", "none"],
    ["allow", "mcp__a", "mcp__a", "allow"],
    ["allow", "mcp__a__*", "mcp__a__read", "allow"],
    ["allow", "mcp__a__*", "mcp__b__read", "none"],
    ["allow", "mcp__a__get_*", "mcp__a__get_x", "allow"],
    ["allow", "mcp__a__get_*", "mcp__a__set_x", "none"],
    ["allow", "mcp__a", "mcp__a__b__read", "none"],
    ["allow", "mcp__a__*", "mcp__a__b__read", "none"],
    ["allow", "mcp__a", "mcp__a___read", "none"],
    ["allow", "mcp__*", "mcp__a__read", "none"],
    ["allow", "mcp__a*__read", "mcp__a__read", "none"],
    ["allow", "mcp__*__read", "mcp__a__read", "none"],
    ["allow", "*", "mcp__a__read", "none"],
    ["allow", "*__read", "mcp__a__read", "none"],
    ["allow", "mcp__", "mcp__a__read", "none"],
    ["allow", "mcp", "mcp__a__read", "none"],
    ["deny", "mcp__a", "mcp__a__read", "deny"],
    ["deny", "mcp__a", "mcp__a__b__read", "deny"],
    ["deny", "mcp__a", "mcp__ab__read", "none"],
    ["deny", "mcp__*__read", "mcp__a__read", "deny"],
    ["deny", "mcp__*", "mcp__a__read", "deny"],
    ["deny", "*", "mcp__a__read", "deny"],
    ["deny", "*delete*", "mcp__a__delete_all", "deny"],
    ["ask", "mcp__a*", "mcp__ab__read", "ask"],
    ["deny", "mcp__a__read", "mcp__a__read", "deny"],
    ["deny", "mcp__a__read", "mcp__a__write", "none"],
  ])("to %s %s judges %s: %s", (behavior, rule, tool, expected) => {
    expect(behaviorOf(behavior, rule, tool)).toBe(expected);
  });

  test("with content covers nothing", () => {
    const rule = { toolName: "mcp__a__read", content: "x" };
    const call = { toolName: "mcp__a__read", input: {} };
    expect(judge(call, [{ behavior: "allow", rule }], CONTEXT).behavior).toBe("none");
  });
});

describe("a rule for another tool", () => {
  test.each<[string, string, Record<string, unknown>, string]>([
    ["WebSearch(weather in Bonn)", "WebSearch", { query: "weather in Bonn" }, "allow"],
    ["WebSearch(weather*)", "WebSearch", { query: "weather in Bonn" }, "none"],
    ["WebSearch(weather)", "WebSearch", { query: "Weather" }, "none"],
    ["WebSearch", "WebSearch", { query: "anything" }, "allow"],
    ["Skill(review)", "Skill", { skill: "review" }, "allow"],
    ["Skill(review)", "Skill", { skill: "review-all" }, "none"],
    ["Skill(review)", "Skill", {}, "none"],
    ["Agent(reviewer)", "Agent", { subagent_type: "reviewer" }, "allow"],
    ["Agent(reviewer)", "Agent", { subagent_type: "Reviewer" }, "none"],
    ["Agent(reviewer)", "Agent", {}, "none"],
    ["Task(reviewer)", "Agent", { subagent_type: "reviewer" }, "allow"],
    ["Agent(reviewer)", "Task", { subagent_type: "reviewer" }, "allow"],
    ["Task", "Task", {}, "allow"],
    ["KillShell", "TaskStop", {}, "allow"],
    ["TodoWrite", "TodoWrite", {}, "allow"],
    ["TodoWrite(x)", "TodoWrite", { todos: "x" }, "none"],
    ["Read", "ReadX", {}, "none"],
    ["read", "Read", {}, "none"],
    ["Bash", "Bash", {}, "allow"],
    ["Bash(ls *)", "Bash", {}, "none"],
    ["Bash(ls *)", "Bash", { command: ["ls"] }, "none"],
    ["WebFetch(domain:a.com)", "WebSearch", { url: "https://a.com/" }, "none"],
  ])("%s judges %s with %j: %s", (rule, tool, input, expected) => {
    expect(behaviorOf("allow", rule, tool, input)).toBe(expected);
  });

  test("built directly with an older name still means the current tool", () => {
    const rules = [{ behavior: "deny", rule: { toolName: "Task" } }] as const;
    expect(judge({ toolName: "Agent", input: {} }, rules, CONTEXT).behavior).toBe("deny");
  });
});
