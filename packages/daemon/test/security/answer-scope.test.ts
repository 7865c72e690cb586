import { RuleBehavior, RuleScope } from "@agentwire/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openVictim, type Victim } from "./victim.ts";

const COMMAND = "touch made.txt";

let victim: Victim;
let sessionId: string;
let questionId: string;
let decide: (allow: object) => Promise<string>;

/** An agent that asks before it runs a command, and a client that may only answer. */
beforeAll(async () => {
  victim = await openVictim({
    agents: [{ name: "own", env: { AGENTWIRE_MODEL: "offline" } }],
    spareProcesses: 0,
  });
  const { secret } = await victim.token("answer");
  decide = async (allow) => {
    const body = JSON.stringify({ questionId, allow });
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    return (await victim.post("/agentwire.v1.QuestionService/Decide", headers, body)).body;
  };
  const { session } = await victim.owner.sessions.createSession({ cwd: victim.folder });
  sessionId = session?.id ?? "";
  await ask();
}, 60_000);
afterAll(() => victim.end());

async function ask(): Promise<void> {
  const { seq } = await victim.owner.sessions.sendPrompt({ sessionId, text: `run ${COMMAND}` });
  for await (const { events } of victim.owner.sessions.watch({ sessionId, afterSeq: seq }))
    for (const { body } of events)
      if (body.case === "permissionAsked") {
        questionId = body.value.question?.id ?? "";
        return;
      }
}

const ruleTexts = async () => (await victim.owner.rules.listRules({})).rules.map(({ rule }) => rule);
const explain = async (command: string) =>
  (await victim.owner.rules.explain({ sessionId, toolName: "Bash", inputJson: JSON.stringify({ command }) }))
    .behavior;

describe("a client that may only answer", () => {
  test.each([
    "Bash",
    "Bash(*)",
    "Bash()",
    "Bash(:*)",
    "Bash(touch:*)",
    "Bash(touch *)",
    "Bash(touch made.txt*)",
    "Bash(touch made.txt:*)",
    "Bash(touch made.txt; id)",
    "Bash(touch)",
    "Read",
    "Write(//etc/passwd)",
    "Edit(made.txt)",
    "mcp__any",
    "*",
    "not a rule(",
  ])("can't save %s for the session when answering about one command", async (sessionRule) => {
    expect(await decide({ sessionRule })).toContain("FORBIDDEN");
    expect(await ruleTexts()).toEqual([]);
  });

  test.each([
    ["a rule for the user", { always: { rule: `Bash(${COMMAND})`, scope: "user" } }],
    ["a rule for the project", { always: { rule: `Bash(${COMMAND})`, scope: "project" } }],
    ["another command as the input", { updatedInputJson: JSON.stringify({ command: "id" }) }],
    ["the same command as a changed input", { updatedInputJson: JSON.stringify({ command: COMMAND }) }],
  ])("can't give %s", async (_, allow) => {
    expect(await decide(allow)).toContain("FORBIDDEN");
    expect(await ruleTexts()).toEqual([]);
  });

  test("may save exactly that command, which overrides no deny rule, existing or future", async () => {
    expect(await decide({ sessionRule: `Bash(${COMMAND})` })).toContain('"decidedNow":true');
    expect(await ruleTexts()).toEqual([`Bash(${COMMAND})`]);
    expect(await explain(COMMAND)).toBe(RuleBehavior.ALLOW);
    expect(await explain("touch other.txt")).toBe(RuleBehavior.ASK);
    const denial = { rule: "Bash(touch:*)", behavior: RuleBehavior.DENY, scope: RuleScope.USER };
    const { rule } = await victim.owner.rules.setRule(denial);
    expect(await explain(COMMAND)).toBe(RuleBehavior.DENY);
    await victim.owner.rules.removeRule({ id: rule?.id ?? "" });
    expect(await explain(COMMAND)).toBe(RuleBehavior.ALLOW);
  });
});

test("a changed call is checked against the deny rules, whichever side changed it", async () => {
  for (const { id } of (await victim.owner.rules.listRules({})).rules)
    await victim.owner.rules.removeRule({ id });
  await ask();
  await victim.owner.rules.setRule({
    rule: "Bash(rm:*)",
    behavior: RuleBehavior.DENY,
    scope: RuleScope.USER,
  });
  const headers = { authorization: `Bearer ${victim.running.token}`, "content-type": "application/json" };
  const allow = { updatedInputJson: JSON.stringify({ command: "rm -rf made.txt" }) };
  const body = JSON.stringify({ questionId, allow });
  const answer = await victim.post("/agentwire.v1.QuestionService/Decide", headers, body);
  expect(answer.body).toContain("the changed call is denied by Bash(rm:*)");
});
