import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judge } from "../../../src/permission/rule/judge.ts";
import { printRule } from "../../../src/permission/rule/rule.ts";
import { suggestRule } from "../../../src/permission/rule/suggest.ts";
import { CONTEXT } from "./given.ts";

function suggested(toolName: string, input: Record<string, unknown>): string | undefined {
  const rule = suggestRule({ toolName, input }, CONTEXT);
  return rule && printRule(rule);
}

describe("suggestRule", () => {
  test.each([
    ["git status", "Bash(git status *)"],
    ["git log --oneline -5", "Bash(git log *)"],
    ["npm run test -- -t x", "Bash(npm run test *)"],
    ["npm install x", "Bash(npm install *)"],
    ["cargo build --release", "Bash(cargo build *)"],
    ["kubectl get pods", "Bash(kubectl get *)"],
    ["ls -la", "Bash(ls *)"],
    ["ls *.ts", "Bash(ls *)"],
    ["grep -r x src 2>&1", "Bash(grep *)"],
    ["CI=1 git status", "Bash(git status *)"],
    ["timeout 5 ls", "Bash(timeout 5 ls)"],
  ])("proposes for the command %j the rule %s", (command, rule) => {
    expect(suggested("Bash", { command })).toBe(rule);
  });

  test.each([
    "touch made.txt",
    "rm -rf build",
    "sudo ls",
    "bash x.sh",
    "python3 x.py",
    "node x.js",
    "git push",
    "git -c core.pager=x log",
    "npm exec x",
    "npm run",
    "docker run x",
    "docker exec a b",
    "curl https://example.com",
    "find . -delete",
    "ls > f",
    "ls && pwd",
    "git status | wc -l",
    "PATH=x git status",
    "f() { ls; }; f",
    "ls 'x",
    "./ls x",
    "git difftool HEAD",
    "git log --output=f",
    "git diff --output f",
    "git grep -O x",
    "git grep --open-files-in-pager=x y",
    "git submodule update",
    "git bisect start",
    "git config x",
    "git fetch --upload-pack=x o",
    "npm explore x",
    "npm x y",
    "yarn node x.js",
    "yarn dlx x",
    "cargo run",
    "cargo --config x build",
    "go run .",
    "go build -toolexec=x",
    "go test -exec x",
    "gh api x",
    "kubectl apply -f x",
    "docker compose up",
    "pip download x",
    "deno eval x",
    "file -C -m x",
    "diff -l a b",
    "echo \\*",
  ])("proposes the command %j itself", (command) => {
    const rule = suggestRule({ toolName: "Bash", input: { command } }, CONTEXT);
    expect(rule).toEqual({ toolName: "Bash", content: command });
  });

  test.each([["rm *.o"], ["*"], [""], ["echo x:*"], [undefined], [7]])(
    "proposes nothing for the command %j",
    (command) => {
      expect(suggested("Bash", { command })).toBeUndefined();
    },
  );

  test.each<[string, Record<string, unknown>, string | undefined]>([
    ["Read", { file_path: "/home/ada/app/src/a.ts" }, "Read(./src/**)"],
    ["Grep", { pattern: "x", path: "src" }, "Read(./src/**)"],
    ["Grep", { pattern: "x" }, "Read(./**)"],
    ["Glob", { pattern: "*/../../x" }, undefined],
    ["Edit", { file_path: "a.ts" }, "Edit(./**)"],
    ["Write", { file_path: "/srv/x/a.ts" }, "Edit(//srv/x/**)"],
    ["Write", { file_path: "a[1]/b*/x" }, "Edit(./a\\\\[1]/b\\\\*/**)"],
    ["Write", { file_path: "/home/ada/.bashrc" }, "Edit(//home/ada/.bashrc)"],
    ["Write", { file_path: "/x" }, "Edit(//x)"],
    ["Write", { file_path: "/." }, undefined],
    ["Write", { file_path: "/home" }, undefined],
    ["Write", { file_path: "/home/ada/app" }, undefined],
    ["LS", { path: "/home" }, undefined],
    ["NotebookEdit", { notebook_path: "n/x.ipynb" }, "Edit(./n/**)"],
    ["Edit", {}, undefined],
    ["WebFetch", { url: "https://Docs.example.com/x" }, "WebFetch(domain:docs.example.com)"],
    ["WebFetch", { url: "https://a@b.com/" }, undefined],
    ["WebFetch", {}, undefined],
    ["WebSearch", { query: "x" }, "WebSearch"],
    ["Skill", { skill: "review" }, "Skill(review)"],
    ["Task", { subagent_type: "reviewer" }, "Agent(reviewer)"],
    ["Agent", {}, undefined],
    ["mcp__a__read", {}, "mcp__a__read"],
    ["TodoWrite", {}, "TodoWrite"],
  ])("proposes for %s of %j: %s", (toolName, input, rule) => {
    expect(suggested(toolName, input)).toBe(rule);
  });

  test("proposes only rules that allow the call they were made for", () => {
    const word = fc.constantFrom(
      "git",
      "ls",
      "rm",
      "x",
      "-la",
      "'a b'",
      "$X",
      "*",
      "&&",
      "|",
      "> f",
      "\\*",
      "run",
      "npm",
    );
    const command = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(command, (text) => {
        const call = { toolName: "Bash", input: { command: text } };
        const rule = suggestRule(call, CONTEXT);
        if (rule) expect(judge(call, [{ behavior: "allow", rule }], CONTEXT).behavior).toBe("allow");
      }),
      { numRuns: 2000 },
    );
  });

  test("proposes only path rules that allow the path", () => {
    const name = fc.string({ unit: fc.constantFrom(..."ab*?[]\\!.~ "), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), fc.boolean(), (names, absolute) => {
        const call = { toolName: "Write", input: { file_path: (absolute ? "/" : "") + names.join("/") } };
        const rule = suggestRule(call, CONTEXT);
        if (!rule || call.input.file_path.startsWith("~")) return;
        expect(judge(call, [{ behavior: "allow", rule }], CONTEXT).behavior).toBe("allow");
      }),
      { numRuns: 2000 },
    );
  });
});
