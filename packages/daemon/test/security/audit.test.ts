import { join } from "node:path";
import { type AuditEntry, RuleBehavior, RuleScope } from "@agentwire/api";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { storedEntry } from "../../src/rpc/audit-entry.ts";
import { AuditCheck } from "../../src/store/audit-hash.ts";
import { openVictim, type Victim } from "./victim.ts";

let victim: Victim;
beforeEach(async () => {
  victim = await openVictim();
});
afterEach(() => victim.end());

const allow = (rule: string) =>
  victim.owner.rules.setRule({ rule, behavior: RuleBehavior.ALLOW, scope: RuleScope.USER });

const entries = async (kind = "") => (await victim.owner.audit.listAuditEntries({ kind })).entries;

/** The number of the first entry that breaks the chain, as `agentwire audit verify` finds it. */
async function brokenAt(): Promise<number | undefined> {
  const check = new AuditCheck();
  const { entries: all, lastSeq } = await victim.owner.audit.listAuditEntries({ pageSize: 1000 });
  const wrong = all.find((entry) => !check.follows(storedEntry(entry)));
  if (wrong) return Number(wrong.seq);
  return Number(lastSeq) > check.seq ? check.seq + 1 : undefined;
}

const told = ({ kind, action, actor, subject, detail }: AuditEntry) =>
  [kind, action, actor, subject, detail].join("|");

describe("the audit log", () => {
  test("records who did what, including decisions of people and of rules", async () => {
    const { sessions, rules } = victim.owner;
    const { rule } = await allow("Bash(touch a)");
    const { id, secret } = await victim.token("answer");
    const { session } = await sessions.createSession({ cwd: victim.folder, prompt: "run touch a" });
    const sessionId = session?.id ?? "";
    for await (const { events } of sessions.watch({ sessionId }))
      if (events.some(({ body }) => body.case === "turnComplete")) break;
    await sessions.setMode({ sessionId, permissionMode: "plan" }, { headers: { "agentwire-client": "ada" } });
    await victim.withToken(secret).sessions.listSessions({});
    await victim
      .withToken("wrong")
      .sessions.listSessions({})
      .catch(() => {});
    await victim.owner.tokens.revokeToken({ id });
    await rules.removeRule({ id: rule?.id ?? "" });
    const lines = (await entries()).map(told);
    expect(lines).toEqual([
      "rule|kept|a client|allow Bash(touch a)|the user",
      `token|created|a client|${id}|a answer: answer, until it is revoked`,
      `decision|allowed|rule: Bash(touch a)|${sessionId}|${expect.anything()}`.replace(
        /Anything.*$/,
        lines[2]?.split("|").at(-1) ?? "",
      ),
      `mode|changed|ada|${sessionId}|default to plan`,
      "login|let in|token a answer|127.0.0.1|answer",
      "login|refused|somebody|127.0.0.1|a wrong, expired or revoked token",
      `token|revoked|a client|${id}|a answer`,
      "rule|removed|a client|allow Bash(touch a)|the user",
    ]);
    expect(lines[2]).toContain("touch a");
    expect(await brokenAt()).toBeUndefined();
    expect((await entries("rule")).length).toBe(2);
  }, 60_000);

  test("records who changed a budget, from what to what", async () => {
    const { usage, sessions } = victim.owner;
    const { session } = await sessions.createSession({ cwd: victim.folder });
    const sessionId = session?.id ?? "";
    const headers = { "agentwire-client": "ada" };
    await usage.setBudget({ limitUsd: 7.5 }, { headers });
    await usage.setBudget({ sessionId, limitUsd: 2 }, { headers });
    await usage.setBudget({ sessionId }, { headers });
    await usage.setBudget({ limitUsd: -1 }, { headers }).catch(() => {});
    const today = new Date().toISOString().slice(0, 10);
    expect((await entries("budget")).map(told)).toEqual([
      `budget|set|ada|${today}|no limit to $7.5`,
      `budget|set|ada|${sessionId}|no limit to $2`,
      `budget|reset|ada|${sessionId}|$2 to the settings' value`,
    ]);
    expect(await brokenAt()).toBeUndefined();
  });

  test("stores no secret of a call", async () => {
    await allow("Bash(curl -H 'Authorization: Bearer abcdefghijklmnop' x)");
    expect((await entries()).map(told).join()).not.toContain("abcdefghijklmnop");
  });

  test("names the token behind a decision, whatever the client calls itself", async () => {
    const { secret } = await victim.token("drive");
    const { rules } = victim.withToken(secret);
    await rules.setRule(
      { rule: "Bash(ls)", behavior: RuleBehavior.ALLOW, scope: RuleScope.USER },
      { headers: { "agentwire-client": "root/web" } },
    );
    expect((await entries("rule"))[0]?.actor).toBe("root/web (token a drive)");
  });

  test("is read in pages, from either end", async () => {
    for (const name of ["a", "b", "c", "d", "e"]) await allow(`Bash(${name})`);
    const page = async (request: object) => {
      const { entries: found, more } = await victim.owner.audit.listAuditEntries(request);
      return [found.map(({ seq }) => Number(seq)), more];
    };
    expect(await page({ pageSize: 2 })).toEqual([[1, 2], true]);
    expect(await page({ pageSize: 3, fromSeq: 2n })).toEqual([[3, 4, 5], false]);
    expect(await page({ pageSize: 2, backwards: true })).toEqual([[5, 4], true]);
    expect(await page({ pageSize: 2, backwards: true, fromSeq: 2n })).toEqual([[1], false]);
  });
});

describe("tampering with the audit log", () => {
  const tamper = (...statements: string[]) => {
    const db = new DatabaseSync(join(victim.folder, "state", "agentwire.db"), { timeout: 5000 });
    try {
      for (const sql of statements) db.exec(sql);
    } finally {
      db.close();
    }
  };
  const UNLOCK = "DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_cleared";

  beforeEach(async () => {
    for (const name of ["a", "b", "c", "d", "e"]) await allow(`Bash(${name})`);
    expect(await brokenAt()).toBeUndefined();
  });

  test.each([
    "UPDATE audit SET actor = 'nobody'",
    "DELETE FROM audit",
    "REPLACE INTO audit SELECT * FROM audit",
  ])("is prevented by triggers: %s", (sql) => {
    expect(() => tamper("PRAGMA recursive_triggers = ON", sql)).toThrow("only ever added to");
  });

  test.each<[string, string, number]>([
    ["a changed entry", "UPDATE audit SET detail = 'something else' WHERE seq = 3", 3],
    ["a changed time", "UPDATE audit SET time_ms = time_ms + 1 WHERE seq = 2", 2],
    ["an entry removed from the middle", "DELETE FROM audit WHERE seq = 3", 4],
    ["the first entry removed", "DELETE FROM audit WHERE seq = 1", 2],
    ["the last entries removed", "DELETE FROM audit WHERE seq > 3", 4],
    [
      "two entries swapped",
      "UPDATE audit SET seq = -3 WHERE seq = 3; UPDATE audit SET seq = 3 WHERE seq = 4; UPDATE audit SET seq = 4 WHERE seq = -3",
      3,
    ],
    ["all entries removed", "DELETE FROM audit", 1],
  ])("is detected: %s", async (_, sql, at) => {
    tamper(UNLOCK, sql);
    expect(await brokenAt()).toBe(at);
    await allow("Bash(f)");
    expect(await brokenAt()).toBeDefined();
  });
});
