import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { makeRig, outcome } from "./rig.ts";

const TOUCH = { command: "touch made.txt && echo done", description: "Create a file" };

describe("the question to the host", () => {
  test("about a shell command that changes files suggests a rule, the folder and acceptEdits", async () => {
    const rig = await makeRig();
    await rig.decide("Bash", TOUCH);
    expect(rig.asked).toEqual([
      {
        tool_name: "Bash",
        display_name: "Bash",
        input: TOUCH,
        description: "Create a file",
        permission_suggestions: [
          {
            type: "addRules",
            rules: [{ toolName: "Bash", ruleContent: "touch made.txt && echo done" }],
            behavior: "allow",
            destination: "localSettings",
          },
          { type: "addDirectories", directories: [rig.project], destination: "session" },
          { type: "setMode", mode: "acceptEdits", destination: "session" },
        ],
        blocked_path: join(rig.project, "made.txt"),
        tool_use_id: "toolu_1",
      },
    ]);
  });

  test("about several commands suggests rules for those that need one", async () => {
    const rig = await makeRig();
    await rig.decide("Bash", { command: "echo out; echo err >&2; exit 3" });
    expect(rig.asked[0]).toMatchObject({
      decision_reason_type: "subcommandResults",
      permission_suggestions: [
        {
          type: "addRules",
          rules: [{ toolName: "Bash", ruleContent: "exit 3" }],
          destination: "localSettings",
        },
      ],
    });
    expect(rig.asked[0]).not.toHaveProperty("blocked_path");
  });

  test.each([
    ["Write", { file_path: "new.txt" }, [{ type: "setMode", mode: "acceptEdits", destination: "session" }]],
    [
      "mcp__calc__add",
      { a: 2 },
      [
        {
          type: "addRules",
          rules: [{ toolName: "mcp__calc__add" }],
          behavior: "allow",
          destination: "localSettings",
        },
      ],
    ],
    [
      "WebFetch",
      { url: "https://example.org/x" },
      [
        {
          type: "addRules",
          rules: [{ toolName: "WebFetch", ruleContent: "domain:example.org" }],
          behavior: "allow",
          destination: "localSettings",
        },
      ],
    ],
    ["AskUserQuestion", { questions: [] }, undefined],
  ])("about %s has useful suggestions", async (tool, input, expected) => {
    const rig = await makeRig();
    await rig.decide(tool, input);
    expect(rig.asked[0]?.permission_suggestions).toEqual(expected);
  });

  test("about a path outside the project suggests access to it", async () => {
    const rig = await makeRig();
    const secret = join(rig.outside, "secret.txt");
    await rig.decide("Read", { file_path: secret });
    await rig.decide("Write", { file_path: secret });
    await rig.decide("Bash", { command: `cat ${secret}` });
    const reading = [
      {
        type: "addRules",
        rules: [{ toolName: "Read", ruleContent: `/${rig.outside}/**` }],
        behavior: "allow",
        destination: "session",
      },
    ];
    expect(rig.asked.map((question) => question.permission_suggestions)).toEqual([
      reading,
      [
        { type: "setMode", mode: "acceptEdits", destination: "session" },
        { type: "addDirectories", directories: [rig.outside], destination: "session" },
      ],
      reading,
    ]);
    const [read, write, cat] = rig.asked;
    for (const question of [read, write]) {
      expect(question).toMatchObject({ decision_reason_type: "workingDir" });
      expect(question).not.toHaveProperty("blocked_path");
    }
    expect(cat).toMatchObject({ blocked_path: secret });
  });

  test("has suggestions each of which avoids the next question if sent back", async () => {
    const calls: readonly (readonly [string, JsonObject])[] = [
      ["Bash", { command: "touch x.txt" }],
      ["Bash", { command: "npm run build" }],
      ["Bash", { command: "ls; exit 3" }],
      ["Bash", { command: "cat ../outside/secret.txt" }],
      ["Read", { file_path: "../outside/secret.txt" }],
      ["Glob", { pattern: "*.txt", path: "../outside" }],
      ["Write", { file_path: "../outside/new.txt" }],
      ["Edit", { file_path: "a.txt" }],
      ["WebFetch", { url: "https://example.org/" }],
      ["Skill", { skill: "x" }],
    ];
    for (const [tool, input] of calls) {
      const rig = await makeRig({
        ask: async ({ permission_suggestions }) => ({
          behavior: "allow",
          updatedPermissions: permission_suggestions,
        }),
      });
      expect(await outcome(rig, tool, input), tool).toBe("ask");
      expect(await outcome(rig, tool, input), JSON.stringify(input)).toBe("allow");
    }
  });

  test("names the server of an MCP tool, the subagent and the reason of a hook", async () => {
    const rig = await makeRig({ mcpServerOf: () => ({ name: "calc", source: "sdk" }) });
    await rig.decide(
      "mcp__calc__add_up",
      {},
      { agentId: "agent-1", hookDecision: "ask", hookReason: "careful" },
    );
    expect(rig.asked[0]).toMatchObject({
      display_name: "Add up",
      mcp_server: { name: "calc", source: "sdk" },
      agent_id: "agent-1",
      decision_reason: "careful",
      decision_reason_type: "hook",
    });
  });

  test("is marked if the tool's result is the answer itself", async () => {
    const rig = await makeRig();
    await rig.decide("ExitPlanMode", {});
    expect(rig.asked[0]).toEqual({
      tool_name: "ExitPlanMode",
      display_name: "ExitPlanMode",
      input: {},
      tool_use_id: "toolu_1",
      requires_user_interaction: true,
    });
  });
});

describe("the host's answer", () => {
  const deciding = async (answer: unknown) =>
    (await makeRig({ ask: async () => answer })).decide("Bash", TOUCH);

  test.each([
    ["allow", { behavior: "allow" }, TOUCH],
    ["allow with an empty input", { behavior: "allow", updatedInput: {} }, TOUCH],
    ["allow with another input", { behavior: "allow", updatedInput: { command: "ls" } }, { command: "ls" }],
  ])("%s lets the call run", async (_, answer, input) => {
    expect(await deciding(answer)).toEqual({ behavior: "allow", input, source: "user_temporary" });
  });

  test("a permanent allow has the source user_permanent", async () => {
    const answer = { behavior: "allow", decisionClassification: "user_permanent" };
    expect(await deciding(answer)).toMatchObject({ source: "user_permanent" });
  });

  test("a deny passes its reason to the model, and may end the turn", async () => {
    const denied = {
      behavior: "deny",
      message: "User said no",
      automatic: false,
      source: "user_reject",
      notRun: "permission-rule",
    };
    expect(await deciding({ behavior: "deny", message: "User said no" })).toEqual({
      ...denied,
      interrupt: false,
    });
    expect(await deciding({ behavior: "deny", message: "User said no", interrupt: true })).toEqual({
      ...denied,
      interrupt: true,
    });
  });

  test.each([
    [undefined],
    [null],
    ["allow"],
    [{}],
    [{ behavior: "maybe" }],
    [{ behavior: "allow", updatedInput: "ls" }],
    [[{ behavior: "allow" }]],
  ])("%j counts as a denial", async (answer) => {
    expect(await deciding(answer)).toMatchObject({ behavior: "deny", interrupt: false });
  });

  test("an error counts as a denial that quotes it", async () => {
    const { decide } = await makeRig({ ask: async () => Promise.reject(new Error("host callback threw")) });
    expect(await decide("Bash", TOUCH)).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining("host callback threw"),
      reasonType: "other",
      source: "config",
    });
  });

  test("a missing host causes a denial without a question", async () => {
    const rig = await makeRig({ hasHost: false });
    expect(await rig.decide("Bash", TOUCH)).toMatchObject({
      behavior: "deny",
      automatic: true,
      source: "config",
    });
    expect(rig.asked).toEqual([]);
  });
});

test("a denial writes nothing, whatever else the answer contains", async () => {
  const updatedPermissions = [
    { type: "addRules", rules: [{ toolName: "Bash" }], behavior: "allow", destination: "localSettings" },
  ];
  const rig = await makeRig({ ask: async () => ({ behavior: "deny", message: "no", updatedPermissions }) });
  await rig.decide("Bash", TOUCH);
  expect(existsSync(join(rig.project, ".claude"))).toBe(false);
  expect(readFileSync(join(rig.project, "a.txt"), "utf8")).toBe("text\n");
});
