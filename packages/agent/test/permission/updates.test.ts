import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Unknown } from "@agentwire/protocol";
import type { PermissionUpdate } from "@agentwire/protocol/permission";
import { describe, expect, test } from "vitest";
import { makePlaces, makeRig, outcome, put, type Rig } from "./rig.ts";

type RuleUpdate = Extract<PermissionUpdate, { type: "addRules" }>;

const rule = (toolName: string, ruleContent?: string | null) => ({ toolName, ruleContent });
const addAllow = (destination: RuleUpdate["destination"]): RuleUpdate => ({
  type: "addRules",
  rules: [rule("Bash", "make *")],
  behavior: "allow",
  destination,
});
const MAKE = { command: "make all" };
const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

describe("a rule from the host", () => {
  const files = {
    userSettings: (rig: Rig) => join(rig.home, ".claude/settings.json"),
    projectSettings: (rig: Rig) => join(rig.project, ".claude/settings.json"),
    localSettings: (rig: Rig) => join(rig.project, ".claude/settings.local.json"),
  } as const;

  test.each(["session", "cliArg"] as const)(
    "for %s applies at once and is not written to a file",
    async (destination) => {
      const rig = await makeRig();
      await rig.gate.apply([addAllow(destination)]);
      expect(await outcome(rig, "Bash", MAKE)).toBe("allow");
      expect(existsSync(join(rig.project, ".claude"))).toBe(false);
      expect(existsSync(join(rig.home, ".claude"))).toBe(false);
    },
  );

  test.each(["userSettings", "projectSettings", "localSettings"] as const)(
    "for %s applies at once and in the next session",
    async (destination) => {
      const places = makePlaces();
      const rig = await makeRig({ places });
      await rig.gate.apply([addAllow(destination)]);
      expect(await outcome(rig, "Bash", MAKE)).toBe("allow");
      expect(read(files[destination](rig))).toEqual({ permissions: { allow: ["Bash(make *)"] } });
      expect(await outcome(await makeRig({ places }), "Bash", MAKE)).toBe("allow");
    },
  );

  test("for a file that isn't read still applies in this session", async () => {
    const rig = await makeRig({ sources: "" });
    await rig.gate.apply([addAllow("localSettings")]);
    expect(await outcome(rig, "Bash", MAKE)).toBe("allow");
    expect(read(files.localSettings(rig))).toEqual({ permissions: { allow: ["Bash(make *)"] } });
  });

  test("for a file that has become invalid applies in this session", async () => {
    const rig = await makeRig({ local: { permissions: { allow: ["Write"] } } });
    put(files.localSettings(rig), "{ not json");
    await rig.gate.apply([addAllow("localSettings")]);
    expect(await outcome(rig, "Bash", MAKE)).toBe("allow");
    expect(await outcome(rig, "Write", { file_path: "n" })).toBe("allow");
  });

  test("for a file that can't be changed applies in this session, and the file is unchanged", async () => {
    const places = makePlaces();
    const broken = join(places.project, ".claude/settings.local.json");
    put(broken, "{ not json");
    const rig = await makeRig({ places });
    await rig.gate.apply([addAllow("localSettings")]);
    expect(await outcome(rig, "Bash", MAKE)).toBe("allow");
    expect(readFileSync(broken, "utf8")).toBe("{ not json");
  });

  test("leaves the rest of the file unchanged and adds no duplicates", async () => {
    const local = { custom: [1], permissions: { allow: ["Bash(make:*)", "Read"], other: true } };
    const rig = await makeRig({ local });
    await rig.gate.apply([addAllow("localSettings"), addAllow("localSettings")]);
    expect(read(files.localSettings(rig))).toEqual({
      custom: [1],
      permissions: { allow: ["Bash(make:*)", "Read", "Bash(make *)"], other: true },
    });
  });

  test("may deny, with null for the whole tool", async () => {
    const rig = await makeRig({ mode: "bypassPermissions" });
    await rig.gate.apply([
      { type: "addRules", rules: [rule("Bash", null)], behavior: "deny", destination: "session" },
    ]);
    expect(await outcome(rig, "Bash", MAKE)).toBe("deny");
  });

  test("that is invalid is not stored", async () => {
    const rig = await makeRig();
    await rig.gate.apply([
      { type: "addRules", rules: [rule("no tool")], behavior: "allow", destination: "localSettings" },
    ]);
    expect(rig.gate.describeRules().rules).toEqual([]);
    expect(read(files.localSettings(rig))).toEqual({ permissions: { allow: [] } });
  });
});

describe("rules can be removed", () => {
  test("one by one, including those of the command line", async () => {
    const rig = await makeRig({ allowedTools: ["Bash(make:*)", "Write"] });
    await rig.gate.apply([{ ...addAllow("cliArg"), type: "removeRules", rules: [rule("Bash", "make:*")] }]);
    expect(await outcome(rig, "Bash", MAKE)).toBe("ask");
    expect(await outcome(rig, "Write", { file_path: "n" })).toBe("allow");
  });

  test("by replacing all of one kind", async () => {
    const rig = await makeRig({ local: { permissions: { allow: ["Write"], deny: ["WebFetch"] } } });
    await rig.gate.apply([{ ...addAllow("localSettings"), type: "replaceRules" }]);
    expect(await outcome(rig, "Write", { file_path: "n" })).toBe("ask");
    expect(await outcome(rig, "Bash", MAKE)).toBe("allow");
    expect(await outcome(rig, "WebFetch", {})).toBe("deny");
  });
});

describe("a mode from the host", () => {
  test("applies and is reported", async () => {
    const rig = await makeRig();
    const update: PermissionUpdate = { type: "setMode", mode: "acceptEdits", destination: "session" };
    await rig.gate.apply([update, update]);
    expect(rig.gate.mode).toBe("acceptEdits");
    expect(rig.modes).toEqual(["acceptEdits"]);
  });

  test("is stored in a file if the update names one", async () => {
    const places = makePlaces();
    const rig = await makeRig({ places });
    await rig.gate.apply([{ type: "setMode", mode: "plan", destination: "userSettings" }]);
    expect((await makeRig({ places })).gate.mode).toBe("plan");
  });

  test("that the session may not use is ignored and not stored", async () => {
    const rig = await makeRig();
    await rig.gate.apply([{ type: "setMode", mode: "bypassPermissions", destination: "userSettings" }]);
    expect(rig.gate.mode).toBe("default");
    expect(rig.modes).toEqual([]);
    expect(existsSync(join(rig.home, ".claude"))).toBe(false);
  });
});

test("folders can be added and removed", async () => {
  const rig = await makeRig();
  const directories = [rig.outside];
  const secret = { file_path: join(rig.outside, "secret.txt") };
  await rig.gate.apply([{ type: "addDirectories", directories, destination: "session" }]);
  expect(await outcome(rig, "Read", secret)).toBe("allow");
  await rig.gate.apply([{ type: "removeDirectories", directories, destination: "session" }]);
  expect(await outcome(rig, "Read", secret)).toBe("ask");
});

test("an unknown update is ignored", async () => {
  const rig = await makeRig();
  await rig.gate.apply([new Unknown("grantAll", { type: "grantAll", destination: "localSettings" })]);
  expect(existsSync(join(rig.project, ".claude"))).toBe(false);
});

describe("the list of rules", () => {
  test("is empty in a bare session", async () => {
    const rig = await makeRig();
    expect(rig.gate.describeRules()).toEqual({
      rules: [],
      workspaceDirectories: [],
      originalCwd: rig.project,
      managedOnly: false,
    });
  });

  test("contains the source of each rule and folder and who may change it", async () => {
    const rig = await makeRig({
      allowedTools: ["Read Bash(git log *)"],
      disallowedTools: ["Bash(", "WebSearch"],
      additionalDirectories: ["../outside"],
      user: { permissions: { deny: ["WebFetch"], additionalDirectories: ["~/x"] } },
      managed: { allowManagedPermissionRulesOnly: true, permissions: { ask: ["Write"] } },
    });
    await rig.gate.apply([addAllow("session")]);
    expect(rig.gate.describeRules()).toEqual({
      rules: [
        { behavior: "deny", source: "cliArg", rule: "WebSearch", editability: "readonly" },
        { behavior: "allow", source: "cliArg", rule: "Read", editability: "readonly", notInEffect: true },
        {
          behavior: "allow",
          source: "cliArg",
          rule: "Bash(git log *)",
          editability: "readonly",
          notInEffect: true,
        },
        {
          behavior: "allow",
          source: "session",
          rule: "Bash(make *)",
          editability: "session",
          notInEffect: true,
        },
        { behavior: "ask", source: "policySettings", rule: "Write", editability: "readonly" },
        { behavior: "deny", source: "userSettings", rule: "WebFetch", editability: "persistent" },
      ],
      workspaceDirectories: [
        { path: rig.outside, source: "cliArg" },
        { path: join(rig.home, "x"), source: "userSettings" },
      ],
      originalCwd: rig.project,
      managedOnly: true,
      errors: [{ file: "--disallowedTools", path: "", message: expect.stringContaining("Bash(") }],
    });
  });
});
