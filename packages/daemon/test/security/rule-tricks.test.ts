import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RuleBehavior, RuleScope } from "@agentwire/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADDRESSES, NO_PATHS, NOT_TO_EDIT, PATHS, TOOLS } from "./call-tricks.ts";
import { BEHIND, COMMANDS, HARM } from "./command-tricks.ts";
import { openVictim, type Victim } from "./victim.ts";

const ALLOWED = [
  "Bash(git status *)",
  "Bash(git log:*)",
  "Bash(npm test:*)",
  "Bash(npm run lint)",
  "Bash(echo *)",
  "Bash(ls *)",
  "Bash(cat src/*)",
  "Read(src/**)",
  "Edit(src/**)",
  "WebFetch(domain:example.com)",
  "WebFetch(domain:*.docs.example)",
  "mcp__files__read",
];
const DENIED = [
  "Bash(rm *)",
  "Bash(curl *)",
  "Read(.env)",
  "Read(~/.ssh/**)",
  "Edit(.git/**)",
  "Edit(src/secret/**)",
];

let victim: Victim;
beforeAll(async () => {
  victim = await openVictim();
  const { rules } = victim.owner;
  const scope = RuleScope.PROJECT;
  for (const rule of ALLOWED)
    await rules.setRule({ rule, scope, owner: victim.folder, behavior: RuleBehavior.ALLOW });
  for (const rule of DENIED)
    await rules.setRule({ rule, scope, owner: victim.folder, behavior: RuleBehavior.DENY });
});
afterAll(() => victim.end());

async function judge(toolName: string, input: unknown): Promise<RuleBehavior> {
  const inputJson = JSON.stringify(input);
  return (await victim.owner.rules.explain({ toolName, inputJson, cwd: victim.folder })).behavior;
}
const judgeCommand = (command: string) => judge("Bash", { command });

describe("a rule never allows", () => {
  describe.each(Object.entries(BEHIND))("a command behind %s", (_, hide) => {
    test.each(HARM)("%s", async (harm) =>
      expect(await judgeCommand(hide(harm))).not.toBe(RuleBehavior.ALLOW),
    );
  });

  describe.each(Object.entries(COMMANDS))("%s", (_, commands) => {
    test.each(commands.map((command) => [command]))("%j", async (command) => {
      expect(await judgeCommand(command)).not.toBe(RuleBehavior.ALLOW);
    });
  });

  test.each([...PATHS, ...NO_PATHS])("reading %j", async (file_path) => {
    expect(await judge("Read", { file_path })).not.toBe(RuleBehavior.ALLOW);
  });

  test.each([...PATHS, ...NO_PATHS, ...NOT_TO_EDIT])("editing %j", async (file_path) => {
    expect(await judge("Edit", { file_path })).not.toBe(RuleBehavior.ALLOW);
    expect(await judge("Write", { file_path, content: "" })).not.toBe(RuleBehavior.ALLOW);
  });

  test.each([...ADDRESSES])("fetching %j", async (url) => {
    expect(await judge("WebFetch", { url, prompt: "" })).not.toBe(RuleBehavior.ALLOW);
  });

  test.each(TOOLS)("%s with %j", async (toolName, input) => {
    expect(await judge(toolName, input)).not.toBe(RuleBehavior.ALLOW);
  });
});

describe("a rule denies in any spelling", () => {
  test.each(COMMANDS["a denied command in another spelling"]?.map((command) => [command]) ?? [])(
    "%j",
    async (command) => expect(await judgeCommand(command)).toBe(RuleBehavior.DENY),
  );

  test.each([".env", "./.env", "src/../.env", "sub/.env"])("reading %j", async (file_path) => {
    expect(await judge("Read", { file_path })).toBe(RuleBehavior.DENY);
  });

  test.each(NOT_TO_EDIT)("editing %j", async (file_path) => {
    expect(await judge("Edit", { file_path })).toBe(RuleBehavior.DENY);
  });
});

describe("a rule about a symbolic link applies to its target", () => {
  beforeAll(() => {
    const at = (path: string) => join(victim.folder, path);
    mkdirSync(at("src/deep"), { recursive: true });
    mkdirSync(at("src/secret"));
    mkdirSync(at("elsewhere"));
    writeFileSync(at(".env"), "");
    symlinkSync("/etc", at("src/etc"));
    symlinkSync("../.env", at("src/env"));
    symlinkSync("../not-there-yet", at("src/new"));
    symlinkSync("loop", at("src/loop"));
    symlinkSync("secret", at("src/public"));
    symlinkSync("deep", at("src/shallow"));
    symlinkSync("src/deep", at("elsewhere/back"));
  });

  const { ALLOW, ASK, DENY } = RuleBehavior;
  test.each<[string, RuleBehavior]>([
    ["src/etc/passwd", ASK],
    ["src/etc/a/b/c/not-there", ASK],
    ["src/etc/../passwd", ASK],
    ["src/deep/../etc/passwd", ASK],
    [`src/etc/${"a/".repeat(100)}b`, ASK],
    [`src/${"a/".repeat(3000)}b`, ASK],
    ["src/env", DENY],
    ["src/new", ASK],
    ["src/loop", ASK],
    ["src/loop/x", ASK],
    ["src/shallow/x", ALLOW],
    ["src/deep/x", ALLOW],
    ["src/not/there/yet", ALLOW],
  ])("%j", async (file_path, expected) => {
    expect(await judge("Read", { file_path })).toBe(expected);
  });

  test.each<[string, RuleBehavior]>([
    ["src/public/x", DENY],
    ["src/new", ASK],
    ["src/shallow/x", ALLOW],
  ])("%j also for writing", async (file_path, expected) => {
    expect(await judge("Write", { file_path, content: "" })).toBe(expected);
  });

  test.each([
    ["Glob", { pattern: "src/etc/*" }],
    ["Glob", { pattern: "*", path: "src/etc" }],
    ["Grep", { pattern: "x", path: "src/etc" }],
    ["LS", { path: "src/etc" }],
  ])("also by %s of %j", async (toolName, input) => {
    expect(await judge(toolName, input)).toBe(ASK);
  });

  test("and a project behind a link is still that project", async () => {
    symlinkSync(victim.folder, join(victim.folder, "project"));
    const cwd = join(victim.folder, "project");
    await victim.owner.rules.setRule({ rule: "Read(docs/**)", scope: RuleScope.USER, behavior: ALLOW });
    const inputJson = JSON.stringify({ file_path: "docs/a" });
    const { behavior } = await victim.owner.rules.explain({ toolName: "Read", inputJson, cwd });
    expect(behavior).toBe(ALLOW);
  });
});

/** Without these the tests above would pass with no rules at all. */
describe("a rule allows", () => {
  test.each([
    ["Bash", { command: "git status -s" }],
    ["Bash", { command: "npm test && git log --oneline | cat src/a" }],
    ["Bash", { command: "echo 'a; mkfs x'" }],
    ["Bash", { command: "ls a 2>/dev/null" }],
    ["Read", { file_path: "src/a/b.ts" }],
    ["Edit", { file_path: "src/a/b.ts" }],
    ["WebFetch", { url: "https://example.com/x", prompt: "" }],
    ["WebFetch", { url: "https://a.docs.example/x", prompt: "" }],
    ["mcp__files__read", { path: "x" }],
  ])("%s with %j", async (toolName, input) => {
    expect(await judge(toolName, input)).toBe(RuleBehavior.ALLOW);
  });
});

test("there are more than 300 tricks", () => {
  const commands = Object.values(COMMANDS).flat().length + HARM.length * Object.keys(BEHIND).length;
  const paths = 2 * (PATHS.length + NO_PATHS.length) + NOT_TO_EDIT.length;
  expect(commands + paths + ADDRESSES.length + TOOLS.length).toBeGreaterThan(300);
});
