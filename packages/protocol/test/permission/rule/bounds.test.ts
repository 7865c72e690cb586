import { describe, expect, test } from "vitest";
import { computingMs } from "../../../../../test/computing-time.ts";
import { judge } from "../../../src/permission/rule/judge.ts";
import { bashRules, given } from "./given.ts";

const RULES = [
  ...bashRules("deny", ["rm:*", "git push:*", "* --force *", "*a*a*a*a*b"]),
  ...bashRules("allow", ["echo *", "npm run *"]),
  given("deny", "Read(.env)"),
  given("allow", "Read(**/a/**/b/**/c)"),
  given("deny", "WebFetch(domain:*.evil.example)"),
];
const CONTEXT = { cwd: "/project", home: "/home/user" };
/** Generous, for a busy machine; without bounds each of these takes seconds there. */
const MOST_MS = 600;

/** The maximum length of a command that is read. */
const long = (text: string) => text.repeat(Math.floor(131_000 / text.length));

const timed = (toolName: string, input: Record<string, unknown>) => {
  const began = computingMs();
  const { behavior } = judge({ toolName, input }, RULES, CONTEXT);
  return { behavior, ms: computingMs() - began };
};

describe("judging takes bounded time", () => {
  test.each<[string, string]>([
    ["9 MB of letters", "a".repeat(9_000_000)],
    ["9 MB of commands", "a;".repeat(4_500_000)],
    ["commands", long("c;")],
    ["different commands", Array.from({ length: 13_000 }, (_, index) => `c${index}`).join(";")],
    ["commands in the background", long("c&")],
    ["wrappers around wrappers", long("env ")],
    ["wrappers with values", long("nice -n 1 ")],
    ["wrappers behind a quote that never ends", `"${long("timeout 1 ")}`],
    ["redirections", long(">a ")],
    ["scripts as arguments", long("sh -c 'x y';")],
    ["scripts behind marks", `sh -c '${long("a=b=c=d=e=f=g=h x;")}'`],
    ["scripts within scripts", `eval eval eval eval '${long("x='y' ")}'`],
    ["substitutions", long('"$(a)" ')],
    ["heredocs", long("cat <<A\nx\nA\n")],
    ["zeros in a format", `printf '%${long("0")}'`],
    ["zeros in many formats", `printf '%${long("%%0b%")}0%'`],
    ["numbers in many formats", `printf '${long("%05.5d")}%'`],
    ["groups in the background", `${"{ ".repeat(30)}${"c& ".repeat(1900)}${"}& ".repeat(30)}`],
    ["tildes", long("~")],
    ["braces", `echo ${long("{a,b}")}`],
    ["variables", long("$a")],
  ])("for a command of %s", (_, command) => {
    const { behavior, ms } = timed("Bash", { command });
    expect(["none", "ask"]).toContain(behavior);
    expect(ms).toBeLessThan(MOST_MS);
  });

  test.each(["/a", "../../", "*", "a/b/"])("for a path of 9 MB of %s", (piece) => {
    const path = piece.repeat(9_000_000 / piece.length);
    for (const toolName of ["Read", "Grep", "Glob"]) {
      const { behavior, ms } = timed(toolName, { file_path: path, path, pattern: path });
      expect(behavior).toBe("deny");
      expect(ms).toBeLessThan(MOST_MS);
    }
  });

  test("for an address of 9 MB", () => {
    const { behavior, ms } = timed("WebFetch", { url: `http://${"a.".repeat(4_500_000)}example` });
    expect(behavior).toBe("deny");
    expect(ms).toBeLessThan(MOST_MS);
  });
});

describe("the part of a call that exceeds the limits", () => {
  test("requires a question if it might contain something forbidden", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `echo ${index};`).join("");
    expect(timed("Bash", { command: `${many}rm x` }).behavior).toBe("ask");
  });

  test("is denied if it begins with something forbidden", () => {
    expect(timed("Bash", { command: `rm x;${long("echo a;")}` }).behavior).toBe("deny");
  });

  test("is not allowed by rules for its parts", () => {
    const allowing = bashRules("allow", ["echo *"]);
    const many = { toolName: "Bash", input: { command: "echo a;".repeat(1001) } };
    expect(judge(many, allowing, CONTEXT)).toMatchObject({
      behavior: "none",
      reason: "the command can't be split safely: it has more than 2000 words",
    });
    const some = { toolName: "Bash", input: { command: "echo a;".repeat(1000) } };
    expect(judge(some, allowing, CONTEXT).behavior).toBe("allow");
  });
});
