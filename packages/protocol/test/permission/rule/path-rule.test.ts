import { describe, expect, test } from "vitest";
import type { RuleContext } from "../../../src/permission/rule/given-rule.ts";
import { judge } from "../../../src/permission/rule/judge.ts";
import { CONTEXT, given } from "./given.ts";

function behaviorFor(rule: string, file_path: unknown, context: RuleContext = CONTEXT) {
  return judge(
    { toolName: "Edit", input: { file_path } },
    [given("allow", `Edit(${rule})`, "/srv/conf")],
    context,
  ).behavior;
}

/** A pattern, paths it matches, paths it doesn't match. */
const PATTERNS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    "//etc/hosts",
    ["/etc/hosts", "//etc//hosts", "/etc/./hosts", "/usr/../etc/hosts"],
    ["/etc/hosts2", "etc/hosts"],
  ],
  ["//etc", ["/etc/hosts", "/etc/a/b"], ["/etcetera/x", "/home/ada/app/etc/x"]],
  ["//**/*.pem", ["/a.pem", "/x/y/a.pem", "a.pem"], ["/a.pem2", "/x/a.txt"]],
  [
    "~/notes/**",
    ["/home/ada/notes/a", "/home/ada/notes/a/b"],
    ["/home/ada/notes", "/home/bob/notes/a", "notes/a"],
  ],
  ["~/.ssh/", ["/home/ada/.ssh/id"], ["/home/ada/.ssh", "/home/ada/.sshx/id"]],
  ["/src/*.ts", ["/srv/conf/src/a.ts"], ["/home/ada/app/src/a.ts", "/src/a.ts", "/srv/conf/src/b/a.ts"]],
  ["/", ["/srv/conf/a"], ["/srv/confx", "/etc/hosts"]],
  ["./src/*.ts", ["src/a.ts", "./src/a.ts", "/home/ada/app/src/a.ts"], ["lib/src/a.ts", "src/b/a.ts"]],
  ["src/**", ["src/a", "src/a/b/c"], ["src", "srcx/a", "lib/src/a", "src/../a", "src/../../x"]],
  ["src/**/test.ts", ["src/test.ts", "src/a/test.ts", "src/a/b/test.ts"], ["test.ts", "src/atest.ts"]],
  ["**/build/*.js", ["build/a.js", "x/y/build/a.js"], ["build/x/a.js", "../build/a.js"]],
  [".env", [".env", "sub/.env", "a/b/.env", ".env/x"], [".env.local", "x.env", "../.env", "/etc/.env"]],
  ["*.ts", ["a.ts", "x/y/a.ts", ".ts"], ["a.tsx", "../a.ts"]],
  ["*.test.*", ["a.test.ts", "x/a.test.", "a.test.test.b"], ["a.tst.ts"]],
  ["build/", ["build/a", "x/build/a/b"], ["build", "builder/a"]],
  ["./build/", ["build/a"], ["x/build/a"]],
  ["a?c", ["abc", "x/a?c", "a\u{1F600}c"], ["ac", "abbc", "a/c"]],
  ["[a-c]x", ["ax", "cx"], ["dx", "-x", "x"]],
  ["[!a-c]x", ["dx", "]x"], ["ax", "x"]],
  ["[^a]x", ["bx"], ["ax"]],
  ["[]a]x", ["]x", "ax"], ["bx"]],
  ["[a-]x", ["-x", "ax"], ["bx"]],
  ["[a\\\\]]x", ["]x", "ax"], ["\\x"]],
  ["[ax", ["[ax"], ["ax"]],
  ["a\\\\*b", ["a*b"], ["axb", "a\\xb"]],
  ["a*b*c", ["abc", "axxbyyc", "abcbc"], ["ab", "abcd"]],
  ["a**b", ["ab", "axb"], ["a/b"]],
  ["a/../b/c", ["b/c"], ["a/b/c", "a/../a/c"]],
  ["../x/**", ["/home/ada/x/y", "../x/y"], ["x/y", "/home/x/y"]],
  ["*/../secret", [], ["secret", "a/secret"]],
  ["!src/**", [], ["src/a", "!src/a"]],
  ["src/**/", ["src/a/b"], ["src/a"]],
  ["**", ["a", "a/b", ".hidden"], ["../a", "/etc/hosts"]],
  ["//**", ["/etc/hosts", "a"], []],
  ["SRC/**", ["SRC/a"], ["src/a"]],
  ["a/*/c", ["a/b/c", "a/b/c/d"], ["a/c", "a/b/b/c"]],
  ["~", ["/home/ada/x"], ["/home/adam/x"]],
  ["~bob/x", ["~bob/x"], ["/home/bob/x"]],
];

describe("a path pattern", () => {
  describe.each(PATTERNS)("%j", (pattern, named, others) => {
    test.each([...named])("matches %j", (path) => expect(behaviorFor(pattern, path)).toBe("allow"));
    test.each([...others])("does not match %j", (path) => expect(behaviorFor(pattern, path)).toBe("none"));
  });

  test.each([[undefined], [null], [7], [""], [["a.ts"]], [{}], ["a\0.ts"]])(
    "never allows the path %j",
    (path) => {
      expect(behaviorFor("**", path)).toBe("none");
    },
  );

  test("with ~/ matches nothing if there is no home", () => {
    expect(behaviorFor("~/x", "/home/ada/x", { cwd: "/" })).toBe("none");
  });

  test("allows a path that begins with ~ only if both of its readings match", () => {
    expect(behaviorFor("//home/ada/notes/**", "~/notes/a")).toBe("none");
    expect(behaviorFor("//home/ada/**", "~/notes/a")).toBe("allow");
  });

  test("takes time proportional to pattern and path", () => {
    const stars = "*a".repeat(1_000);
    expect(behaviorFor(`${stars}b`, "a".repeat(5_000))).toBe("none");
    expect(behaviorFor("[".repeat(50_000), "[".repeat(50_000))).toBe("allow");
    expect(behaviorFor("**/a/".repeat(300), "a/".repeat(1_000))).toBe("allow");
  });
});

describe("the spellings of one path", () => {
  const call = { toolName: "Write", input: { file_path: "link/x" } };
  const context = { ...CONTEXT, resolvedPaths: ["/home/ada/secret/x"] };

  test.each([
    ["allow", "Edit(link/**)", "none"],
    ["allow", "Edit(//home/ada/secret/**)", "none"],
    ["allow", "Edit(//home/ada/**)", "allow"],
    ["deny", "Edit(link/**)", "deny"],
    ["deny", "Edit(~/secret/**)", "deny"],
    ["ask", "Edit(~/secret/**)", "ask"],
    ["deny", "Edit(other/**)", "none"],
  ] as const)(
    "must all match to allow, or any to deny or ask: to %s, %s results in %s",
    (behavior, rule, expected) => {
      expect(judge(call, [given(behavior, rule)], context).behavior).toBe(expected);
    },
  );
});

describe("a rule for a file tool", () => {
  const inputs = {
    Edit: { file_path: "a.ts" },
    Write: { file_path: "a.ts" },
    MultiEdit: { file_path: "a.ts" },
    NotebookEdit: { notebook_path: "a.ts" },
    Read: { file_path: "a.ts" },
    Glob: { pattern: "*", path: "a.ts" },
    Grep: { pattern: "x", path: "a.ts" },
    LS: { path: "a.ts" },
  } as const;

  test.each([
    ["Edit(a.ts)", ["Edit", "Write", "MultiEdit", "NotebookEdit"]],
    ["Read(a.ts)", ["Read", "Glob", "Grep", "LS"]],
    ["Write(a.ts)", ["Write"]],
    ["Grep(a.ts)", ["Grep"]],
    ["NotebookEdit(a.ts)", ["NotebookEdit"]],
    ["Edit", ["Edit"]],
    ["Read", ["Read"]],
    ["Bash(a.ts)", []],
  ])("%s covers %j", (rule, tools) => {
    const covered = Object.entries(inputs).filter(
      ([toolName, input]) => judge({ toolName, input }, [given("deny", rule)], CONTEXT).behavior === "deny",
    );
    expect(covered.map(([toolName]) => toolName)).toEqual(tools);
  });
});

describe("a search", () => {
  test.each<[string, Record<string, unknown>, string, string]>([
    ["Grep", { pattern: "x", path: "src" }, "Read(src/**)", "allow"],
    ["Grep", { pattern: "x", path: "src" }, "Read(src/*)", "allow"],
    ["Grep", { pattern: "x", path: "src" }, "Read(src/)", "allow"],
    ["Grep", { pattern: "x", path: "src" }, "Read(src)", "allow"],
    ["Grep", { pattern: "x", path: "src" }, "Read(src/*.ts)", "none"],
    ["Grep", { pattern: "x", path: "src" }, "Read(src/?)", "none"],
    ["Grep", { pattern: "x", path: "src" }, "Read(src/[!x])", "none"],
    ["Grep", { pattern: "x" }, "Read(**)", "allow"],
    ["Grep", { pattern: "x" }, "Read(src/**)", "none"],
    ["Grep", { pattern: "x", path: 7 }, "Read(**)", "none"],
    ["Glob", { pattern: "**/*.ts" }, "Read(**)", "allow"],
    ["Glob", { pattern: "src/**/*.ts" }, "Read(src/**)", "allow"],
    ["Glob", { pattern: "*.ts", path: "src" }, "Read(src/**)", "allow"],
    ["Glob", { pattern: "../*.ts" }, "Read(**)", "none"],
    ["Glob", { pattern: "a/../../*.ts" }, "Read(**)", "none"],
    ["Glob", { pattern: "*/../../x" }, "Read(//home/ada/**)", "none"],
    ["Glob", { pattern: "/etc/*" }, "Read(**)", "none"],
    ["Glob", { pattern: "/etc/*" }, "Read(//etc/**)", "allow"],
    ["Glob", { pattern: "{/etc,src}/*" }, "Read(**)", "none"],
    ["Glob", { pattern: "{src,/etc}/*" }, "Read(**)", "none"],
    ["Glob", { pattern: "~/x/*" }, "Read(**)", "none"],
    ["LS", { path: "/etc" }, "Read(**)", "none"],
  ])("by %s of %j with %s is judged: %s", (toolName, input, rule, behavior) => {
    expect(judge({ toolName, input }, [given("allow", rule)], CONTEXT).behavior).toBe(behavior);
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    ["Glob", { pattern: "/etc/*" }, "Read(//etc/**)", "deny"],
    ["Glob", { pattern: "secret/*" }, "Read(secret/)", "deny"],
    ["Grep", { pattern: "x", path: "a/../secret" }, "Read(secret/**)", "deny"],
    ["Grep", { pattern: "x" }, "Read(secret/**)", "none"],
  ])("by %s of %j is denied by %s: %s", (toolName, input, rule, behavior) => {
    expect(judge({ toolName, input }, [given("deny", rule)], CONTEXT).behavior).toBe(behavior);
  });
});
