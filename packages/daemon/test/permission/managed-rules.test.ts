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

/** Only root can create a file that belongs to root. */
describe.runIf(process.getuid?.() === 0)("managed rules", () => {
  test("can't be overridden, are listed, and can only be removed in their file", async () => {
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
    ["owned by another user", "belongs to user 1000", () => chownSync(path, 1000, 0)],
    ["writable by a group", "is writable by users other than root", () => chmodSync(path, 0o664)],
    ["writable by everybody", "is writable by users other than root", () => chmodSync(path, 0o646)],
    [
      "in a folder writable by others",
      "is writable by users other than root",
      () => chmodSync(folder, 0o777),
    ],
    ["in a folder owned by another user", "belongs to user 1000", () => chownSync(folder, 1000, 0)],
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
  ])("given as %s are refused", (text, message) => {
    write(text);
    expect(() => readManagedRules(path)).toThrow(message);
  });

  test("in a pipe or a folder are refused without blocking", () => {
    spawnSync("mkfifo", [path]);
    expect(() => readManagedRules(path)).toThrow("is not a file");
    rmSync(path);
    mkdirSync(path);
    expect(() => readManagedRules(path)).toThrow("is not a file");
  });
});

test("without a file there are no managed rules", () => {
  expect(readManagedRules(path)).toEqual([]);
});
