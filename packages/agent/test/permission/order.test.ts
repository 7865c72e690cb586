import { describe, expect, test } from "vitest";
import { makeRig, outcome, type RigOptions } from "./rig.ts";

const rules = (permissions: Readonly<Record<string, readonly string[]>>) => ({ permissions });
const BYPASS = { mode: "bypassPermissions" } as const;

type Row = readonly [
  title: string,
  options: RigOptions,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  expected: "allow" | "ask" | "deny",
  hook?: "allow" | "ask",
];

const TOUCH = { command: "touch n.txt" };
const WRITE = { file_path: "n.txt" };

describe("the order of decisions", () => {
  const rows: readonly Row[] = [
    ["a whole-tool deny goes before bypass", { ...BYPASS, disallowedTools: ["Bash"] }, "Bash", TOUCH, "deny"],
    [
      "a deny goes before an allow",
      { allowedTools: ["Bash"], user: rules({ deny: ["Bash(touch *)"] }) },
      "Bash",
      TOUCH,
      "deny",
    ],
    [
      "a deny goes before an ask",
      { user: rules({ ask: ["Bash"], deny: ["Bash(touch *)"] }) },
      "Bash",
      TOUCH,
      "deny",
    ],
    ["a deny goes before a hook that allows", { disallowedTools: ["Bash"] }, "Bash", TOUCH, "deny", "allow"],
    [
      "a deny goes before a question to the user",
      { disallowedTools: ["AskUserQuestion"] },
      "AskUserQuestion",
      {},
      "deny",
    ],
    [
      "a whole-tool ask goes before bypass",
      { ...BYPASS, user: rules({ ask: ["Bash"] }) },
      "Bash",
      TOUCH,
      "ask",
    ],
    [
      "an ask with content goes before bypass",
      { ...BYPASS, user: rules({ ask: ["Bash(touch *)"] }) },
      "Bash",
      TOUCH,
      "ask",
    ],
    [
      "an ask goes before an allow",
      { allowedTools: ["Bash"], user: rules({ ask: ["Bash(touch *)"] }) },
      "Bash",
      TOUCH,
      "ask",
    ],
    [
      "an ask goes before what a tool may do by itself",
      { user: rules({ ask: ["Read"] }) },
      "Read",
      { file_path: "a.txt" },
      "ask",
    ],
    [
      "an ask goes before a hook that allows",
      { user: rules({ ask: ["Bash"] }) },
      "Bash",
      TOUCH,
      "ask",
      "allow",
    ],
    [
      "an ask under dontAsk is a deny",
      { mode: "dontAsk", user: rules({ ask: ["Read"] }) },
      "Read",
      { file_path: "a.txt" },
      "deny",
    ],
    ["a hook that asks goes before bypass", BYPASS, "Bash", TOUCH, "ask", "ask"],
    ["a hook that allows saves the question", {}, "Bash", TOUCH, "allow", "allow"],
    [
      "a question to the user is asked whatever allows it",
      { ...BYPASS, allowedTools: ["AskUserQuestion"] },
      "AskUserQuestion",
      {},
      "ask",
      "allow",
    ],
    ["bypass comes before a sensitive path", BYPASS, "Edit", { file_path: ".claude/settings.json" }, "allow"],
    [
      "a sensitive path is asked about in spite of an allow",
      { allowedTools: ["Edit"] },
      "Edit",
      { file_path: ".git/config" },
      "ask",
    ],
    [
      "a sensitive path is asked about in spite of a hook",
      {},
      "Edit",
      { file_path: ".bashrc" },
      "ask",
      "allow",
    ],
    ["a sensitive path may be read", {}, "Read", { file_path: ".git/config" }, "allow"],
    ["bypass goes before everything that is left", BYPASS, "mcp__x__y", {}, "allow"],
    [
      "an allow of the command line counts",
      { allowedTools: ["Write,Bash(touch *)"] },
      "Bash",
      TOUCH,
      "allow",
    ],
    ["an allow of the whole tool counts", { user: rules({ allow: ["Write"] }) }, "Write", WRITE, "allow"],
    [
      "an allow counts under dontAsk",
      { mode: "dontAsk", user: rules({ allow: ["Write"] }) },
      "Write",
      WRITE,
      "allow",
    ],
    [
      "an allow does not change files in plan mode",
      { mode: "plan", allowedTools: ["Write"] },
      "Write",
      WRITE,
      "ask",
    ],
    [
      "an allow of another tool counts in plan mode",
      { mode: "plan", allowedTools: ["mcp__x__y"] },
      "mcp__x__y",
      {},
      "allow",
    ],
    ["without a host what is left is denied", { hasHost: false }, "Bash", TOUCH, "deny"],
    ["without prompts what is left is denied", { prompts: "none" }, "Bash", TOUCH, "deny"],
    ["without a host bypass still allows", { ...BYPASS, hasHost: false }, "Bash", TOUCH, "allow"],
    ["a rule by a tool's old name counts", { disallowedTools: ["Task"] }, "Agent", {}, "deny"],
    ["a tool nobody knows is asked about", {}, "NewTool", {}, "ask"],
  ];
  for (const [title, options, tool, input, expected, hookDecision] of rows) {
    test(title, async () => {
      expect(await outcome(await makeRig(options), tool, input, { hookDecision })).toBe(expected);
    });
  }
});

describe("where a rule comes from", () => {
  test.each([
    ["userSettings", "user_reject", { user: rules({ deny: ["Bash(touch *)"] }) }],
    ["projectSettings", "config", { projectSettings: rules({ deny: ["Bash(touch *)"] }) }],
    ["localSettings", "user_reject", { local: rules({ deny: ["Bash(touch *)"] }) }],
    ["policySettings", "config", { managed: rules({ deny: ["Bash(touch *)"] }) }],
    ["cliArg", "config", { disallowedTools: ["Bash(touch *)"] }],
  ])("a denial names the rule and %s", async (source, decidedBy, options) => {
    const { decide } = await makeRig(options);
    const decision = await decide("Bash", TOUCH);
    expect(decision).toMatchObject({
      behavior: "deny",
      automatic: true,
      interrupt: false,
      reasonType: "subcommandResults",
      source: decidedBy,
      notRun: "permission-rule",
    });
    expect(decision.reason).toContain("Bash(touch *)");
    expect(decision.reason).toContain(source);
    expect(decision).toHaveProperty("message", expect.stringContaining("Bash(touch *)"));
  });

  test.each([
    ["a settings file", { local: rules({ allow: ["Bash(touch n.txt)"] }) }, "user_permanent", "rule"],
    ["the command line", { allowedTools: ["Bash"] }, "config", "rule"],
    [
      "a pattern for its parts",
      { local: rules({ allow: ["Bash(touch *)"] }) },
      "config",
      "subcommandResults",
    ],
    ["a mode", { mode: "bypassPermissions" } as const, "config", "mode"],
  ])("an allow by %s says so", async (_, options, source, reasonType) => {
    const { decide } = await makeRig(options);
    expect(await decide("Bash", TOUCH)).toMatchObject({
      behavior: "allow",
      input: TOUCH,
      source,
      reasonType,
    });
  });

  test("an ask rule is named in the question", async () => {
    const rig = await makeRig({ user: rules({ ask: ["Bash(touch *)"] }) });
    await rig.decide("Bash", TOUCH);
    expect(rig.asked[0]).toMatchObject({
      decision_reason_type: "rule",
      matched_ask_rule: { source: "userSettings", tool_name: "Bash", rule_content: "touch *" },
    });
    expect(rig.asked[0]).not.toHaveProperty("permission_suggestions");
  });

  test("only the administrator's allow rules count where he says so, everybody's denials do", async () => {
    const managed = { allowManagedPermissionRulesOnly: true, ...rules({ allow: ["WebSearch"] }) };
    const rig = await makeRig({ managed, user: rules({ allow: ["Write"], deny: ["WebFetch"] }) });
    expect(await outcome(rig, "Write", WRITE)).toBe("ask");
    expect(await outcome(rig, "WebSearch", {})).toBe("allow");
    expect(await outcome(rig, "WebFetch", {})).toBe("deny");
  });
});
