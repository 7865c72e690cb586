import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { makeRig, outcome } from "./rig.ts";

const TOUCH = { command: "touch made.txt && echo done", description: "Create a file" };

describe("the question for the host", () => {
  test("of a shell command that changes files offers a rule, the folder and acceptEdits", async () => {
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

  test("of several commands offers rules for those that need one", async () => {
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
  ])("of %s offers what helps", async (tool, input, expected) => {
    const rig = await makeRig();
    await rig.decide(tool, input);
    expect(rig.asked[0]?.permission_suggestions).toEqual(expected);
  });

  test("of a path outside offers the way there", async () => {
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
        { type: "addDirectories", directories: [rig.outside], destination: "session" },
        { type: "setMode", mode: "acceptEdits", destination: "session" },
      ],
      reading,
    ]);
    for (const question of rig.asked) {
      expect(question).toMatchObject({ blocked_path: secret, decision_reason_type: "workingDir" });
    }
  });

  test("every suggestion sent back saves the next question", async () => {
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

  test("of a tool that lives from the answer says so", async () => {
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

  test("a lasting allow is told as one", async () => {
    const answer = { behavior: "allow", decisionClassification: "user_permanent" };
    expect(await deciding(answer)).toMatchObject({ source: "user_permanent" });
  });

  test("deny tells the model why, and may end the turn", async () => {
    const denied = { behavior: "deny", message: "User said no", automatic: false, source: "user_reject" };
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
  ])("%j is a denial", async (answer) => {
    expect(await deciding(answer)).toMatchObject({ behavior: "deny", interrupt: false });
  });

  test("an error is a denial that quotes it", async () => {
    const { decide } = await makeRig({ ask: async () => Promise.reject(new Error("host callback threw")) });
    expect(await decide("Bash", TOUCH)).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining("host callback threw"),
      reasonType: "other",
      source: "config",
    });
  });

  test("a missing host is a denial without a question", async () => {
    const rig = await makeRig({ hasHost: false });
    expect(await rig.decide("Bash", TOUCH)).toMatchObject({
      behavior: "deny",
      automatic: true,
      source: "config",
    });
    expect(rig.asked).toEqual([]);
  });
});

describe("questions at the same time", () => {
  test("calls that change something ask one after another, in order", async () => {
    const open: ((answer: unknown) => void)[] = [];
    const rig = await makeRig({ ask: () => new Promise((resolve) => open.push(resolve)) });
    const first = rig.decide("Bash", { command: "touch 1" });
    const second = rig.decide("Bash", { command: "touch 2" });
    await expect.poll(() => open.length).toBe(1);
    open[0]?.({ behavior: "allow" });
    await first;
    await expect.poll(() => open.length).toBe(2);
    expect(rig.asked.map(({ input }) => input.command)).toEqual(["touch 1", "touch 2"]);
    open[1]?.({ behavior: "deny", message: "no" });
    expect(await second).toMatchObject({ behavior: "deny" });
  });

  test("calls that only read ask side by side, answered in any order", async () => {
    const open: ((answer: unknown) => void)[] = [];
    const rig = await makeRig({ ask: () => new Promise((resolve) => open.push(resolve)) });
    const calls = ["/etc/a", "/etc/b"].map((file_path) => rig.decide("Read", { file_path }));
    await expect.poll(() => open.length).toBe(2);
    open[1]?.({ behavior: "deny", message: "not b" });
    open[0]?.({ behavior: "allow" });
    const verdicts = await Promise.all(calls);
    expect(verdicts.map(({ behavior }) => behavior).sort()).toEqual(["allow", "deny"]);
  });

  test("a rule from the first answer saves the second question", async () => {
    const updatedPermissions = [
      {
        type: "addRules",
        rules: [{ toolName: "Bash", ruleContent: "touch:*" }],
        behavior: "allow",
        destination: "session",
      },
    ];
    const rig = await makeRig({ ask: async () => ({ behavior: "allow", updatedPermissions }) });
    const verdicts = await Promise.all(
      ["touch 1", "touch 2"].map((command) => rig.decide("Bash", { command })),
    );
    expect(rig.asked).toHaveLength(1);
    expect(verdicts[1]).toMatchObject({
      behavior: "allow",
      source: "config",
      reasonType: "subcommandResults",
    });
  });

  test("an open question is not released by another mode", async () => {
    const open: ((answer: unknown) => void)[] = [];
    const rig = await makeRig({ allowBypass: true, ask: () => new Promise((resolve) => open.push(resolve)) });
    const verdict = rig.decide("Bash", TOUCH);
    await expect.poll(() => open.length).toBe(1);
    rig.gate.setMode("bypassPermissions");
    open[0]?.({ behavior: "deny", message: "no" });
    expect(await verdict).toMatchObject({ behavior: "deny", message: "no" });
  });

  test("an abort takes the open question back and ends the wait of the next", async () => {
    const signals: AbortSignal[] = [];
    const controller = new AbortController();
    const { signal } = controller;
    const rig = await makeRig({
      ask: (_, given) => {
        signals.push(given);
        return new Promise(() => {});
      },
    });
    const calls = ["touch 1", "touch 2"].map((command) => rig.decide("Bash", { command }, { signal }));
    await expect.poll(() => signals.length).toBe(1);
    controller.abort();
    expect(await Promise.all(calls)).toEqual([
      expect.objectContaining({ behavior: "deny", automatic: false }),
      expect.objectContaining({ behavior: "deny", automatic: false }),
    ]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    const later = rig.decide("Bash", { command: "touch 3" });
    await expect.poll(() => signals.length).toBe(2);
    expect(rig.asked[1]?.input).toEqual({ command: "touch 3" });
    void later;
  });

  test("a call that is aborted already asks nobody", async () => {
    const rig = await makeRig();
    const verdict = await rig.decide("Bash", TOUCH, { signal: AbortSignal.abort() });
    expect(verdict).toMatchObject({ behavior: "deny" });
    expect(rig.asked).toEqual([]);
  });
});

describe("PermissionRequest hooks", () => {
  const never = () => new Promise<never>(() => {});

  test("that answer first withdraw the question from the host", async () => {
    let withdrawn = false;
    const rig = await makeRig({
      ask: (_, signal) => {
        signal.addEventListener("abort", () => {
          withdrawn = true;
        });
        return never();
      },
      runPermissionRequestHooks: async () => ({ behavior: "allow", updatedInput: { command: "ls" } }),
    });
    expect(await rig.decide("Bash", TOUCH)).toMatchObject({
      behavior: "allow",
      source: "hook",
      input: { command: "ls" },
    });
    expect(withdrawn).toBe(true);
  });

  test("that are slower than the host are stopped", async () => {
    let stopped = false;
    const rig = await makeRig({
      ask: async () => ({ behavior: "deny", message: "host says no" }),
      runPermissionRequestHooks: (_, signal) => {
        signal.addEventListener("abort", () => {
          stopped = true;
        });
        return never();
      },
    });
    expect(await rig.decide("Bash", TOUCH)).toMatchObject({ message: "host says no" });
    expect(stopped).toBe(true);
  });

  test.each([
    ["have no opinion", async () => undefined],
    ["fail", async () => Promise.reject(new Error("hook broke"))],
  ])("that %s leave it to the host", async (_, runPermissionRequestHooks) => {
    const rig = await makeRig({ ask: async () => ({ behavior: "allow" }), runPermissionRequestHooks });
    expect(await rig.decide("Bash", TOUCH)).toMatchObject({ behavior: "allow", source: "user_temporary" });
  });

  test("decide alone where there is no host", async () => {
    const hasHost = false;
    const allowing = await makeRig({
      hasHost,
      runPermissionRequestHooks: async () => ({ behavior: "allow" }),
    });
    expect(await allowing.decide("Bash", TOUCH)).toMatchObject({ behavior: "allow", source: "hook" });
    const silent = await makeRig({ hasHost, runPermissionRequestHooks: async () => undefined });
    expect(await silent.decide("Bash", TOUCH)).toMatchObject({ behavior: "deny", automatic: true });
  });
});

test("a denial writes nothing, whatever else the answer has", async () => {
  const updatedPermissions = [
    { type: "addRules", rules: [{ toolName: "Bash" }], behavior: "allow", destination: "localSettings" },
  ];
  const rig = await makeRig({ ask: async () => ({ behavior: "deny", message: "no", updatedPermissions }) });
  await rig.decide("Bash", TOUCH);
  expect(existsSync(join(rig.project, ".claude"))).toBe(false);
  expect(readFileSync(join(rig.project, "a.txt"), "utf8")).toBe("text\n");
});
