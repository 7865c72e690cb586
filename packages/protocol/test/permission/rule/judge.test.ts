import { describe, expect, test } from "vitest";
import { judge } from "../../../src/permission/rule/judge.ts";
import { bashRules, CONTEXT, given, judgeCommand } from "./given.ts";

describe("judge", () => {
  test("gives deny precedence over ask and ask over allow, in any order of rules", () => {
    const allow = given("allow", "Bash(git *)");
    const ask = given("ask", "Bash(git push *)");
    const deny = given("deny", "Bash(git push --force *)");
    const rules = [allow, ask, deny];
    expect(judgeCommand("git status", rules)).toMatchObject({ behavior: "allow", rules: [allow] });
    expect(judgeCommand("git push", rules)).toMatchObject({ behavior: "ask", rules: [ask] });
    expect(judgeCommand("git push --force", rules)).toMatchObject({ behavior: "deny", rules: [deny] });
    expect(judgeCommand("git status && git push --force", rules.toReversed()).behavior).toBe("deny");
  });

  test("lets a rule for the whole tool cover a command that can't be read", () => {
    expect(judgeCommand("f() { ls; }; f '", [given("allow", "Bash")]).behavior).toBe("allow");
    expect(judgeCommand("echo x > f", [given("allow", "Bash(*)")]).behavior).toBe("allow");
    expect(judgeCommand("ls", [given("allow", "Bash"), given("ask", "Bash")]).behavior).toBe("ask");
  });

  test("combines several rules to allow a command, and lists each once", () => {
    const rules = bashRules("allow", ["echo *", "git status *", "ls *"]);
    expect(judgeCommand("git status && ls; git status -s | ls", rules)).toEqual({
      behavior: "allow",
      rules: [rules[1], rules[2]],
      uncovered: [],
      reason: "allowed by Bash(git status *), Bash(ls *)",
    });
  });

  test("lists the parts that no rule covers", () => {
    expect(judgeCommand("ls && rm $(curl x) | tee y; rm z", bashRules("allow", ["ls *"]))).toEqual({
      behavior: "none",
      rules: [],
      uncovered: ["curl x", "rm $(curl x)", "tee y", "rm z"],
      reason: "no rule covers curl x and 3 more",
    });
  });

  test("lists a command that can't be read as a whole, with the reason", () => {
    expect(judgeCommand("ls 'x", bashRules("allow", ["ls *"]))).toEqual({
      behavior: "none",
      rules: [],
      uncovered: ["ls 'x"],
      reason: "the command can't be split safely: a quote is not closed",
    });
  });

  test("says in the reason which rule decided and where it is from", () => {
    const rule = { ...given("deny", "Read(.env)"), source: "project settings" };
    const call = { toolName: "Read", input: { file_path: ".env" } };
    expect(judge(call, [rule], CONTEXT).reason).toBe("denied by Read(.env) from project settings");
    expect(judge(call, [], CONTEXT)).toEqual({
      behavior: "none",
      rules: [],
      uncovered: [],
      reason: "no rule covers this call of Read",
    });
  });

  test("resolves a path rule from the folder of its settings file", () => {
    const call = { toolName: "Read", input: { file_path: "/srv/team/docs/a.md" } };
    const from = (root: string) => judge(call, [given("allow", "Read(/docs/**)", root)], CONTEXT).behavior;
    expect(from("/srv/team")).toBe("allow");
    expect(from("/srv")).toBe("none");
    const rootless = { behavior: "allow", rule: { toolName: "Read", content: "/docs/**" } } as const;
    expect(judge(call, [rootless], { cwd: "/srv/team" }).behavior).toBe("allow");
  });

  test("treats names of Object.prototype as ordinary names", () => {
    for (const toolName of ["constructor", "__proto__", "toString"]) {
      expect(judge({ toolName, input: {} }, [given("allow", "Bash(ls)")], CONTEXT).behavior).toBe("none");
      expect(judgeCommand(toolName, bashRules("allow", ["ls"])).behavior).toBe("none");
    }
  });
});
