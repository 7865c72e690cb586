import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { RuleBehavior, RuleScope } from "@agentwire/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isWithin } from "../../src/permission/folder-name.ts";
import { openVictim, type Victim } from "../security/victim.ts";

let victim: Victim;
beforeAll(async () => {
  victim = await openVictim();
  for (const name of ["project/inner", "project-two", "other"])
    mkdirSync(join(victim.folder, name), { recursive: true });
  symlinkSync(join(victim.folder, "project"), join(victim.folder, "link"));
  symlinkSync(join(victim.folder, "other"), join(victim.folder, "project", "way-out"));
});
afterAll(() => victim.end());

const OWNERS = ["project", "project/", "project/.", "other/../project", "link", "link/inner/.."];
const INSIDE = [
  "project",
  "project/",
  "project/inner",
  "other/../project",
  "link",
  "link/inner/",
  "project//inner",
];
const OUTSIDE = ["project-two", "other", "project/../other", "project/way-out", "."];

describe.each(OWNERS)("a rule for the project %s", (owner) => {
  const at = (name: string) => `${victim.folder}/${name}`;
  /** The verdict on a call in a session in that folder. */
  async function verdictIn(cwd: string): Promise<RuleBehavior> {
    const { session } = await victim.owner.sessions.createSession({ cwd: at(cwd) });
    const call = { toolName: "Bash", inputJson: JSON.stringify({ command: "make it" }) };
    const [inSession, inFolder] = await Promise.all([
      victim.owner.rules.explain({ ...call, sessionId: session?.id ?? "" }),
      victim.owner.rules.explain({ ...call, cwd: at(cwd) }),
    ]);
    expect(inFolder.behavior).toBe(inSession.behavior);
    return inSession.behavior;
  }

  test("applies in it, however the path is spelled, and nowhere else", async () => {
    const { rule } = await victim.owner.rules.setRule({
      rule: "Bash(make:*)",
      behavior: RuleBehavior.DENY,
      scope: RuleScope.PROJECT,
      owner: at(owner),
    });
    for (const cwd of INSIDE) expect([cwd, await verdictIn(cwd)]).toEqual([cwd, RuleBehavior.DENY]);
    for (const cwd of OUTSIDE) expect([cwd, await verdictIn(cwd)]).toEqual([cwd, RuleBehavior.ASK]);
    await victim.owner.rules.removeRule({ id: rule?.id ?? "" });
    const { rules } = await victim.owner.rules.listRules({});
    expect(rules).toEqual([]);
  }, 30_000);
});

test("the sessions of a folder are found however its path is spelled", async () => {
  const { session } = await victim.owner.sessions.createSession({ cwd: `${victim.folder}/link/` });
  const { sessions } = await victim.owner.sessions.listSessions({ cwd: `${victim.folder}/other/../project` });
  expect(sessions.map(({ id }) => id)).toContain(session?.id);
});

test.each([
  ["/a/b", "/a", true],
  ["/a", "/a/", true],
  ["/a/..b", "/a", true],
  ["/anything", "/", true],
  ["/ab", "/a", false],
  ["/", "/a", false],
  ["/a/../b", "/a", false],
])("%s is within %s: %s", (folder, outer, is) => {
  expect(isWithin(folder, outer)).toBe(is);
});
