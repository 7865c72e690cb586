import { describe, expect, test } from "vitest";
import { makePlaces, makeRig, outcome } from "./rig.ts";

type Case = readonly [mode: string, tool: string, target: string, expected: "allow" | "ask" | "deny"];

describe("a call without a rule", () => {
  const cases: readonly Case[] = [
    ["default", "Read", "a.txt", "allow"],
    ["default", "Read", "../outside/secret.txt", "ask"],
    ["default", "Write", "new.txt", "ask"],
    ["default", "Bash", "touch new.txt", "ask"],
    ["default", "Bash", "cat a.txt | wc -l", "allow"],
    ["default", "WebFetch", "https://example.org/", "ask"],
    ["default", "Skill", "x", "ask"],
    ["default", "mcp__calc__add", "x", "ask"],
    ["default", "TodoWrite", "x", "allow"],
    ["default", "Task", "x", "allow"],
    ["acceptEdits", "Write", "new.txt", "allow"],
    ["acceptEdits", "Edit", "sub/b.txt", "allow"],
    ["acceptEdits", "NotebookEdit", "sub/n.ipynb", "allow"],
    ["acceptEdits", "Write", "../outside/new.txt", "ask"],
    ["acceptEdits", "Bash", "touch new.txt && mkdir -p x/y", "allow"],
    ["acceptEdits", "Bash", "echo hi > new.txt", "allow"],
    ["acceptEdits", "Bash", "rm a.txt", "ask"],
    ["acceptEdits", "Bash", "curl example.org", "ask"],
    ["acceptEdits", "WebFetch", "https://example.org/", "ask"],
    ["plan", "Read", "a.txt", "allow"],
    ["plan", "Bash", "ls -la", "allow"],
    ["plan", "Write", "new.txt", "ask"],
    ["plan", "Bash", "touch new.txt", "ask"],
    ["bypassPermissions", "Write", "../outside/new.txt", "allow"],
    ["bypassPermissions", "Bash", "rm -rf build", "allow"],
    ["bypassPermissions", "AskUserQuestion", "x", "ask"],
    ["bypassPermissions", "ExitPlanMode", "x", "ask"],
    ["bypassPermissions", "Write", ".git/hooks/pre-commit", "allow"],
    ["acceptEdits", "Write", ".git/hooks/pre-commit", "ask"],
    ["dontAsk", "Read", "a.txt", "allow"],
    ["dontAsk", "Write", "new.txt", "deny"],
    ["dontAsk", "AskUserQuestion", "x", "deny"],
    ["auto", "Write", "new.txt", "ask"],
  ];
  test.each(cases)("in mode %s, %s of %s leads to %s", async (mode, tool, target, expected) => {
    const rig = await makeRig({ mode: mode as never });
    expect(await outcome(rig, tool, inputFor(tool, target))).toBe(expected);
  });

  function inputFor(tool: string, target: string) {
    if (tool === "Bash") return { command: target };
    if (tool === "WebFetch") return { url: target };
    return tool === "NotebookEdit" ? { notebook_path: target } : { file_path: target };
  }
});

describe("choosing a mode", () => {
  test("an unknown mode is refused and changes nothing", async () => {
    const { gate } = await makeRig();
    expect(gate.setMode("nonsense")).toMatchObject({ code: "invalid_mode" });
    expect(gate.mode).toBe("default");
  });

  test("bypass is refused unless the command line allows it", async () => {
    const { gate } = await makeRig();
    expect(gate.setMode("bypassPermissions")).toMatchObject({ code: "bypass_not_launched" });
    const { gate: launched } = await makeRig({ allowBypass: true });
    expect(launched.setMode("bypassPermissions")).toBeUndefined();
    expect(launched.mode).toBe("bypassPermissions");
  });

  test("a session that started in bypass may return to it", async () => {
    const { gate } = await makeRig({ mode: "bypassPermissions" });
    gate.setMode("manual");
    expect(gate.mode).toBe("default");
    expect(gate.setMode("bypassPermissions")).toBeUndefined();
  });

  test("settings can forbid bypass even if the command line requests it", async () => {
    const managed = { permissions: { disableBypassPermissionsMode: "disable" } };
    const { gate } = await makeRig({ managed, mode: "bypassPermissions", allowBypass: true });
    expect(gate.mode).toBe("default");
    expect(gate.setMode("bypassPermissions")).toMatchObject({ code: "bypass_disabled" });
  });

  test.each([
    ["the user's settings", { user: mode("acceptEdits") }, "acceptEdits"],
    ["the file with precedence", { user: mode("acceptEdits"), projectSettings: mode("plan") }, "plan"],
    ["the user's settings, even bypass", { user: mode("bypassPermissions") }, "bypassPermissions"],
    ["the default, if a project requests bypass", { projectSettings: mode("bypassPermissions") }, "default"],
    [
      "the default, if a committed local file requests bypass",
      { local: mode("bypassPermissions") },
      "default",
    ],
    ["the flag rather than the settings", { user: mode("acceptEdits"), mode: "plan" as const }, "plan"],
  ])("the first mode is taken from %s", async (_, options, expected) => {
    const { gate } = await makeRig(options);
    expect(gate.mode).toBe(expected);
  });

  test("a mode change applies to the next call", async () => {
    const rig = await makeRig({ places: makePlaces() });
    expect(await outcome(rig, "Write", { file_path: "n.txt" })).toBe("ask");
    rig.gate.setMode("acceptEdits");
    expect(await outcome(rig, "Write", { file_path: "n.txt" })).toBe("allow");
    expect(rig.modes).toEqual([]);
  });
});

function mode(defaultMode: string) {
  return { permissions: { defaultMode } };
}

describe("bypassPermissions, after the settings have forbidden it,", () => {
  const FORBIDDING = { permissions: { disableBypassPermissionsMode: "disable" } };

  test("is replaced by the default mode, and the host is notified", async () => {
    const { rig, settings } = await bypassing();
    settings.applyFlagSettings(FORBIDDING);
    rig.gate.applySettings();
    expect(rig.gate.mode).toBe("default");
    expect(rig.modes).toEqual(["default"]);
  });

  test("allows no further calls, even before the mode changes", async () => {
    const { rig, settings } = await bypassing();
    expect(await outcome(rig, "Bash", { command: "touch x" })).toBe("allow");
    settings.applyFlagSettings(FORBIDDING);
    expect(await outcome(rig, "Bash", { command: "touch x" })).toBe("ask");
  });

  test("is not restored when plan mode is left", async () => {
    const { rig, settings } = await bypassing();
    rig.gate.setMode("plan");
    settings.applyFlagSettings(FORBIDDING);
    rig.gate.applySettings();
    rig.gate.leavePlanMode();
    expect(rig.gate.mode).toBe("default");
  });

  async function bypassing() {
    const rig = await makeRig({ mode: "bypassPermissions" });
    return { rig, settings: rig.settings };
  }
});
