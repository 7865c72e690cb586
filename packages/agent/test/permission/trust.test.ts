import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTrust, type TrustSources } from "../../src/settings/trust.ts";
import { untrustedSettings } from "../../src/settings/untrusted.ts";
import { makePlaces, makeRig, outcome, put } from "./rig.ts";

const TOUCH = { command: "touch x" };
const ALLOWING = { permissions: { allow: ["Bash(touch x)"] } };

describe("the settings of an untrusted project", () => {
  test.each([
    ["allow has no effect", { allow: ["Bash(touch x)"] }, "ask"],
    ["deny applies", { deny: ["Bash(touch x)"] }, "deny"],
    ["the mode has no effect", { defaultMode: "acceptEdits" }, "ask"],
  ])("are limited: %s", async (_what, permissions, expected) => {
    for (const file of ["projectSettings", "local"] as const) {
      const rig = await makeRig({ [file]: { permissions }, isTrusted: false });
      expect(await outcome(rig, "Bash", TOUCH)).toBe(expected);
    }
  });

  test("add no folders to the project until it is trusted", async () => {
    const places = makePlaces();
    const projectSettings = { permissions: { additionalDirectories: [places.outside] } };
    const read = { file_path: join(places.outside, "secret.txt") };
    for (const [isTrusted, expected] of [[false, "ask"] as const, [true, "allow"] as const])
      expect(await outcome(await makeRig({ places, projectSettings, isTrusted }), "Read", read)).toBe(
        expected,
      );
  });

  test("do not affect rules of the user and of flags", async () => {
    for (const options of [{ user: ALLOWING }, { allowedTools: ["Bash(touch x)"] }])
      expect(await outcome(await makeRig({ ...options, isTrusted: false }), "Bash", TOUCH)).toBe("allow");
  });

  test.each(["projectSettings", "localSettings"] as const)(
    "get rules that the host adds to %s for the session",
    async (destination) => {
      const rig = await makeRig({ isTrusted: false });
      const rules = [{ toolName: "Bash", ruleContent: "touch x" }];
      await rig.gate.apply([{ type: "addRules", rules, behavior: "allow", destination }]);
      expect(await outcome(rig, "Bash", TOUCH)).toBe("allow");
    },
  );

  test("are ignored if their keys are unknown, and what is ignored is listed", () => {
    const { settings, withheld } = untrustedSettings({
      $schema: "x",
      permissions: { allow: ["Bash"], deny: ["WebFetch"], newKey: true },
      env: { PATH: ".", API_TOKEN: "abcdefgh12345" },
      nextYearsHelper: "./run",
      hooks: {},
      model: "opus",
    });
    expect(settings).toEqual({ $schema: "x", permissions: { deny: ["WebFetch"] }, model: "opus" });
    expect(withheld).toEqual([
      'permissions.allow ["Bash"]',
      "permissions.newKey true",
      'env {"PATH":".","API_TOKEN":"[redacted]"}',
      'nextYearsHelper "./run"',
    ]);
  });
});

describe("a folder is trusted", () => {
  function rig(noted?: (project: string) => string, more: Partial<TrustSources> = {}) {
    const { project, home, outside } = makePlaces();
    const userFile = join(home, ".claude.json");
    if (noted) put(userFile, noted(project));
    const configDir = join(home, ".claude");
    const trust = createTrust({ home, configDir, userFile, given: [], listed: [], ...more });
    return { trust, project, home, outside };
  }
  const note = (folder: string, value: unknown = true) =>
    JSON.stringify({ projects: { [folder]: { hasTrustDialogAccepted: value } } });

  test("if the user has trusted it or a folder above it", async () => {
    for (const at of [(project: string) => project, dirname]) {
      const { trust, project } = rig((folder) => note(at(folder)));
      expect(await trust.trusts(project)).toBe(true);
      expect(await trust.trusts(join(project, "sub"))).toBe(true);
    }
  });

  test.each([
    ["no folder is trusted", undefined],
    ["a folder next to it is trusted", (project: string) => note(`${project}2`)],
    ["a folder below it is trusted", (project: string) => note(join(project, "sub"))],
    ["its entry has another value", (project: string) => note(project, "yes")],
    ["the file can't be read", () => "{"],
  ])("but not if %s", async (_what, noted) => {
    const { trust, project } = rig(noted);
    expect(await trust.trusts(project)).toBe(false);
  });

  test("but not through a link in a trusted folder", async () => {
    const { trust, project } = rig(note);
    expect(await trust.trusts(join(project, "way-out"))).toBe(false);
  });

  test("if the command line or a user setting names it", async () => {
    const { home } = rig();
    mkdirSync(join(home, "src/one"), { recursive: true });
    symlinkSync(join(home, "src"), join(home, "link"));
    const at = (more: Partial<TrustSources>) =>
      createTrust({ home, configDir: "/none", userFile: "/none", given: [], listed: [], ...more });
    expect(await at({ given: [join(home, "src/one")] }).trusts(join(home, "src/one"))).toBe(true);
    expect(await at({ listed: ["~/src"] }).trusts(join(home, "link/one"))).toBe(true);
    expect(await at({ listed: ["~/src"] }).trusts(home)).toBe(false);
  });

  test("if it is the user's home folder, whose settings are the user's", async () => {
    const { trust, home } = rig();
    mkdirSync(join(home, ".claude"), { recursive: true });
    expect(await trust.trusts(home)).toBe(true);
  });
});
