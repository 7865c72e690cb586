import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RuleBehavior, RuleScope } from "@agentwire/api";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readManagedRules } from "../../src/permission/managed-rules.ts";
import { openVictim } from "../security/victim.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-managed-"));
  path = join(folder, "managed-rules.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (text: string) => writeFileSync(path, text, { mode: 0o644 });

/** Only root can make a file that belongs to root. */
describe.runIf(process.getuid?.() === 0)("managed rules", () => {
  test("can't be overridden, are listed, and are removed only where they are written", async () => {
    write('{"deny": ["Read(secret.txt)"], "ask": ["Bash(git push:*)"]}');
    const victim = await openVictim({ managedRulesPath: path });
    try {
      const { rules, sessions } = victim.owner;
      const { session } = await sessions.createSession({ cwd: victim.folder });
      const sessionId = session?.id ?? "";
      const allow = { behavior: RuleBehavior.ALLOW, scope: RuleScope.SESSION, owner: sessionId };
      await rules.setRule({ ...allow, rule: "Read" });
      await rules.setRule({ ...allow, rule: "Bash" });
      const verdict = async (toolName: string, input: object) =>
        (await rules.explain({ sessionId, toolName, inputJson: JSON.stringify(input) })).behavior;
      expect(await verdict("Read", { file_path: join(victim.folder, "secret.txt") })).toBe(RuleBehavior.DENY);
      expect(await verdict("Read", { file_path: join(victim.folder, "open.txt") })).toBe(RuleBehavior.ALLOW);
      expect(await verdict("Bash", { command: "git push origin" })).toBe(RuleBehavior.ASK);
      const { rules: managed } = await rules.listRules({ scope: RuleScope.MANAGED });
      expect(managed.map(({ rule, createdBy }) => [rule, createdBy])).toEqual([
        ["Read(secret.txt)", path],
        ["Bash(git push:*)", path],
      ]);
      await expect(rules.removeRule({ id: managed[0]?.id ?? "" })).rejects.toThrow(
        `it can only be changed in ${path}`,
      );
      const wish = { rule: "Read", behavior: RuleBehavior.ALLOW, scope: RuleScope.MANAGED };
      await expect(rules.setRule(wish)).rejects.toThrow("choose session, project or user");
      write('{"deny": []}');
      victim.running.daemon.reload(victim.running.daemon.config);
      expect((await rules.listRules({ scope: RuleScope.MANAGED })).rules).toEqual([]);
    } finally {
      await victim.end();
    }
  }, 30_000);

  test.each<[string, string, () => void]>([
    ["of another user", "belongs to user 1000", () => chownSync(path, 1000, 0)],
    ["that a group can write", "is writable by users other than root", () => chmodSync(path, 0o664)],
    ["that everybody can write", "is writable by users other than root", () => chmodSync(path, 0o646)],
    [
      "in a folder that others can write",
      "is writable by users other than root",
      () => chmodSync(folder, 0o777),
    ],
    ["in a folder of another user", "belongs to user 1000", () => chownSync(folder, 1000, 0)],
  ])("in a file %s are refused, and no daemon starts", async (_, message, spoil) => {
    write('{"deny": ["Read(secret.txt)"]}');
    spoil();
    expect(() => readManagedRules(path)).toThrow(message);
    await expect(openVictim({ managedRulesPath: path })).rejects.toThrow(message);
  });

  test.each([
    ["", "is not JSON"],
    ["[]", "expected an object"],
    ['{"denied": []}', 'unknown key "denied"'],
    ['{"deny": "Read"}', "expected a list"],
    ['{"deny": [1]}', "expected rules as strings"],
    ['{"deny": ["Read("]}', "is not a rule"],
  ])("as %s are refused", (text, message) => {
    write(text);
    expect(() => readManagedRules(path)).toThrow(message);
  });

  test("are not waited for: a pipe or a folder in their place is refused", () => {
    spawnSync("mkfifo", [path]);
    expect(() => readManagedRules(path)).toThrow("is not a file");
    rmSync(path);
    mkdirSync(path);
    expect(() => readManagedRules(path)).toThrow("is not a file");
  });
});

test("without a file there are none", () => {
  expect(readManagedRules(path)).toEqual([]);
});
