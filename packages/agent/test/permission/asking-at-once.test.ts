import { describe, expect, test } from "vitest";
import { makeRig } from "./rig.ts";

const TOUCH = { command: "touch made.txt && echo done", description: "Create a file" };

describe("concurrent questions", () => {
  test("are asked one after another, in order, for calls that change something", async () => {
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

  test("are asked in parallel for read-only calls, and answered in any order", async () => {
    const open: ((answer: unknown) => void)[] = [];
    const rig = await makeRig({ ask: () => new Promise((resolve) => open.push(resolve)) });
    const calls = ["/etc/a", "/etc/b"].map((file_path) => rig.decide("Read", { file_path }));
    await expect.poll(() => open.length).toBe(2);
    open[1]?.({ behavior: "deny", message: "not b" });
    open[0]?.({ behavior: "allow" });
    const verdicts = await Promise.all(calls);
    expect(verdicts.map(({ behavior }) => behavior).sort()).toEqual(["allow", "deny"]);
  });

  test("are avoided by a rule from the first answer", async () => {
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

  test("stay open if the mode changes", async () => {
    const open: ((answer: unknown) => void)[] = [];
    const rig = await makeRig({ allowBypass: true, ask: () => new Promise((resolve) => open.push(resolve)) });
    const decision = rig.decide("Bash", TOUCH);
    await expect.poll(() => open.length).toBe(1);
    rig.gate.setMode("bypassPermissions");
    open[0]?.({ behavior: "deny", message: "no" });
    expect(await decision).toMatchObject({ behavior: "deny", message: "no" });
  });

  test("are withdrawn on abort, including those still waiting", async () => {
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

  test("are not asked for a call that is already aborted", async () => {
    const rig = await makeRig();
    const decision = await rig.decide("Bash", TOUCH, { signal: AbortSignal.abort() });
    expect(decision).toMatchObject({ behavior: "deny" });
    expect(rig.asked).toEqual([]);
  });
});

describe("PermissionRequest hooks", () => {
  const never = () => new Promise<never>(() => {});

  test("that answer first withdraw the host's question", async () => {
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

  test("that are slower than the host are aborted", async () => {
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
    ["return nothing", async () => undefined],
    ["fail", async () => Promise.reject(new Error("hook broke"))],
  ])("that %s leave the decision to the host", async (_, runPermissionRequestHooks) => {
    const rig = await makeRig({ ask: async () => ({ behavior: "allow" }), runPermissionRequestHooks });
    expect(await rig.decide("Bash", TOUCH)).toMatchObject({ behavior: "allow", source: "user_temporary" });
  });

  test("decide alone if there is no host", async () => {
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
