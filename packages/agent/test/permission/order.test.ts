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

describe("permission decisions are made in order:", () => {
  const rows: readonly Row[] = [
    ["a whole-tool deny precedes bypass", { ...BYPASS, disallowedTools: ["Bash"] }, "Bash", TOUCH, "deny"],
    [
      "a deny precedes an allow",
      { allowedTools: ["Bash"], user: rules({ deny: ["Bash(touch *)"] }) },
      "Bash",
      TOUCH,
      "deny",
    ],
    [
      "a deny precedes an ask",
      { user: rules({ ask: ["Bash"], deny: ["Bash(touch *)"] }) },
      "Bash",
      TOUCH,
      "deny",
    ],
    ["a deny precedes a hook that allows", { disallowedTools: ["Bash"] }, "Bash", TOUCH, "deny", "allow"],
    [
      "a deny precedes a question to the user",
      { disallowedTools: ["AskUserQuestion"] },
      "AskUserQuestion",
      {},
      "deny",
    ],
    ["a whole-tool ask precedes bypass", { ...BYPASS, user: rules({ ask: ["Bash"] }) }, "Bash", TOUCH, "ask"],
    [
      "an ask with content precedes bypass",
      { ...BYPASS, user: rules({ ask: ["Bash(touch *)"] }) },
      "Bash",
      TOUCH,
      "ask",
    ],
    [
      "an ask precedes an allow",
      { allowedTools: ["Bash"], user: rules({ ask: ["Bash(touch *)"] }) },
      "Bash",
      TOUCH,
      "ask",
    ],
    [
      "an ask precedes what a tool may do by default",
      { user: rules({ ask: ["Read"] }) },
      "Read",
      { file_path: "a.txt" },
      "ask",
    ],
    ["an ask precedes a hook that allows", { user: rules({ ask: ["Bash"] }) }, "Bash", TOUCH, "ask", "allow"],
    [
      "an ask under dontAsk becomes a deny",
      { mode: "dontAsk", user: rules({ ask: ["Read"] }) },
      "Read",
      { file_path: "a.txt" },
      "deny",
    ],
    ["a hook that asks precedes bypass", BYPASS, "Bash", TOUCH, "ask", "ask"],
    ["a hook that allows avoids the question", {}, "Bash", TOUCH, "allow", "allow"],
    [
      "a question to the user is always asked",
      { ...BYPASS, allowedTools: ["AskUserQuestion"] },
      "AskUserQuestion",
      {},
      "ask",
      "allow",
    ],
    ["bypass precedes a sensitive path", BYPASS, "Edit", { file_path: ".claude/settings.json" }, "allow"],
    [
      "a sensitive path is asked about despite an allow",
      { allowedTools: ["Edit"] },
      "Edit",
      { file_path: ".git/config" },
      "ask",
    ],
    ["a sensitive path is asked about despite a hook", {}, "Edit", { file_path: ".bashrc" }, "ask", "allow"],
    ["a sensitive path may be read", {}, "Read", { file_path: ".git/config" }, "allow"],
    ["bypass precedes all remaining checks", BYPASS, "mcp__x__y", {}, "allow"],
    [
      "an allow from the command line applies",
      { allowedTools: ["Write,Bash(touch *)"] },
      "Bash",
      TOUCH,
      "allow",
    ],
    ["an allow of the whole tool applies", { user: rules({ allow: ["Write"] }) }, "Write", WRITE, "allow"],
    [
      "an allow applies under dontAsk",
      { mode: "dontAsk", user: rules({ allow: ["Write"] }) },
      "Write",
      WRITE,
      "allow",
    ],
    [
      "an allow does not permit file changes in plan mode",
      { mode: "plan", allowedTools: ["Write"] },
      "Write",
      WRITE,
      "ask",
    ],
    [
      "an allow of another tool applies in plan mode",
      { mode: "plan", allowedTools: ["mcp__x__y"] },
      "mcp__x__y",
      {},
      "allow",
    ],
    ["without a host, the remaining calls are denied", { hasHost: false }, "Bash", TOUCH, "deny"],
    ["without prompts, the remaining calls are denied", { prompts: "none" }, "Bash", TOUCH, "deny"],
    ["without a host, bypass still allows", { ...BYPASS, hasHost: false }, "Bash", TOUCH, "allow"],
    ["a rule with a tool's old name applies", { disallowedTools: ["Task"] }, "Agent", {}, "deny"],
    ["an unknown tool is asked about", {}, "NewTool", {}, "ask"],
  ];
  for (const [title, options, tool, input, expected, hookDecision] of rows) {
    test(title, async () => {
      expect(await outcome(await makeRig(options), tool, input, { hookDecision })).toBe(expected);
    });
  }
});

describe("the source of a rule", () => {
  test.each([
    ["userSettings", "user_reject", { user: rules({ deny: ["Bash(touch *)"] }) }],
    ["projectSettings", "config", { projectSettings: rules({ deny: ["Bash(touch *)"] }) }],
    ["localSettings", "user_reject", { local: rules({ deny: ["Bash(touch *)"] }) }],
    ["policySettings", "config", { managed: rules({ deny: ["Bash(touch *)"] }) }],
    ["cliArg", "config", { disallowedTools: ["Bash(touch *)"] }],
  ])("is named in a denial, with the rule: %s", async (source, decidedBy, options) => {
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
  ])("is named in an allow by %s", async (_, options, source, reasonType) => {
    const { decide } = await makeRig(options);
    expect(await decide("Bash", TOUCH)).toMatchObject({
      behavior: "allow",
      input: TOUCH,
      source,
      reasonType,
    });
  });

  test("is named in the question caused by an ask rule", async () => {
    const rig = await makeRig({ user: rules({ ask: ["Bash(touch *)"] }) });
    await rig.decide("Bash", TOUCH);
    expect(rig.asked[0]).toMatchObject({
      decision_reason_type: "rule",
      matched_ask_rule: { source: "userSettings", tool_name: "Bash", rule_content: "touch *" },
    });
    expect(rig.asked[0]).not.toHaveProperty("permission_suggestions");
  });

  test("can be limited to the administrator for allow rules, while everyone's deny rules apply", async () => {
    const managed = { allowManagedPermissionRulesOnly: true, ...rules({ allow: ["WebSearch"] }) };
    const rig = await makeRig({ managed, user: rules({ allow: ["Write"], deny: ["WebFetch"] }) });
    expect(await outcome(rig, "Write", WRITE)).toBe("ask");
    expect(await outcome(rig, "WebSearch", {})).toBe("allow");
    expect(await outcome(rig, "WebFetch", {})).toBe("deny");
  });
});
