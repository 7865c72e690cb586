import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { loadSettings } from "../../src/settings/load.ts";
import { isTrustedProject } from "../../src/settings/trust.ts";
import { makePlaces, makeRig, outcome, put } from "./rig.ts";

const TOUCH = { command: "touch x" };
const ALLOWING = { permissions: { allow: ["Bash(touch x)"] } };

describe("what a project's own settings say", () => {
  test.each([
    ["allow counts for nothing", { allow: ["Bash(touch x)"] }, "ask"],
    ["deny counts", { deny: ["Bash(touch x)"] }, "deny"],
    ["the mode counts", { allow: ["Bash(touch x)"], defaultMode: "acceptEdits" }, "allow"],
  ])("while nobody trusts it: %s", async (_what, permissions, expected) => {
    const rig = await makeRig({ projectSettings: { permissions }, isTrusted: false });
    expect(await outcome(rig, "Bash", TOUCH)).toBe(expected);
  });

  test("folders are none of the project while nobody trusts it", async () => {
    const places = makePlaces();
    const projectSettings = { permissions: { additionalDirectories: [places.outside] } };
    const read = { file_path: join(places.outside, "secret.txt") };
    for (const [isTrusted, expected] of [[false, "ask"] as const, [true, "allow"] as const])
      expect(await outcome(await makeRig({ places, projectSettings, isTrusted }), "Read", read)).toBe(
        expected,
      );
  });

  test("rules of the user, of local settings and of flags count in any case", async () => {
    for (const options of [{ user: ALLOWING }, { local: ALLOWING }, { allowedTools: ["Bash(touch x)"] }])
      expect(await outcome(await makeRig({ ...options, isTrusted: false }), "Bash", TOUCH)).toBe("allow");
  });

  test("a rule that the host adds to them counts for the session", async () => {
    const rig = await makeRig({ isTrusted: false });
    const rules = [{ toolName: "Bash", ruleContent: "touch x" }];
    await rig.gate.apply([{ type: "addRules", rules, behavior: "allow", destination: "projectSettings" }]);
    expect(await outcome(rig, "Bash", TOUCH)).toBe("allow");
  });
});

describe("a project is trusted", () => {
  async function asked(projectSettings: JsonObject, noted: string | undefined) {
    const { project: cwd, home } = makePlaces();
    put(join(cwd, ".claude/settings.json"), JSON.stringify(projectSettings));
    const file = join(home, ".claude.json");
    if (noted !== undefined) put(file, noted.replace("CWD", cwd));
    const settings = await loadSettings({
      cwd,
      configDir: join(home, ".claude"),
      managedPath: join(home, "none"),
    });
    const said: string[] = [];
    const trusted = await isTrustedProject({ settings, cwd, file, complain: (text) => said.push(text) });
    return { trusted, said };
  }

  test("if the user has said so", async () => {
    const noted = '{"projects":{"CWD":{"hasTrustDialogAccepted":true}}}';
    expect(await asked(ALLOWING, noted)).toEqual({ trusted: true, said: [] });
  });

  test.each([
    ["nothing is noted", undefined],
    ["another project is noted", '{"projects":{"CWD/..":{"hasTrustDialogAccepted":true}}}'],
    ["it is noted as something else", '{"projects":{"CWD":{"hasTrustDialogAccepted":"yes"}}}'],
    ["the note can't be read", "{"],
  ])("not if %s, and somebody hears of it", async (_what, noted) => {
    const { trusted, said } = await asked(ALLOWING, noted);
    expect(trusted).toBe(false);
    expect(said).toEqual([expect.stringContaining("permissions.allow in .claude/settings.json")]);
  });

  test("or not, nobody hears of it where it allows itself nothing", async () => {
    expect(await asked({ permissions: { deny: ["WebFetch"] } }, undefined)).toMatchObject({ said: [] });
  });
});
