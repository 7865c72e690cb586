import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Disposition, type Event, RuleBehavior, RuleScope } from "@agentwire/api";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { type Bench, openBench, ownAgent, type Talk } from "./daemon-bench.ts";

const calls = (name: string, input: JsonObject) => ({ content: [{ type: "tool_use", name, input }] });
const DONE = { text: "Done." };
const SECRET = "the content of the secret";
const ALLOW = { case: "allow", value: {} } as const;

/** A project with a secret, and our agent, which makes these calls one after the other, one for each prompt. */
async function openProject(steps: (bench: Bench) => readonly JsonObject[]) {
  const bench = openBench();
  writeFileSync(join(bench.project, "secret.txt"), `${SECRET}\n`);
  const talk = await bench.open({
    agents: [
      ownAgent(
        bench,
        steps(bench).flatMap((step) => [step, DONE]),
      ),
    ],
  });
  return { bench, talk, id: await talk.create() };
}

const readSecret = ({ project }: Bench) => calls("Read", { file_path: join(project, "secret.txt") });

const userRule = ({ rules }: Talk, behavior: RuleBehavior, rule: string) =>
  rules.setRule({ rule, behavior, scope: RuleScope.USER, owner: "" });

const allowing =
  ({ questions }: Talk) =>
  ({ body }: Event) =>
    body.case === "permissionAsked"
      ? questions.decide({ questionId: body.value.question?.id ?? "", decision: ALLOW }).then(() => {})
      : undefined;

const audited = ({ running: { daemon } }: Talk) =>
  daemon.db.statement("SELECT actor, action, detail FROM audit WHERE kind = 'decision'").all() as {
    readonly actor: string;
    readonly action: string;
    readonly detail: string;
  }[];

describe("rules hold for calls that the agent would not ask about", () => {
  test.each(["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"])(
    "a denied file is not read in the mode %s: one event, one audit entry, and the model is told why",
    async (permissionMode) => {
      const { talk, id } = await openProject((bench) => [readSecret(bench)]);
      await userRule(talk, RuleBehavior.DENY, "Read(secret.txt)");
      await talk.sessions.setMode({ sessionId: id, permissionMode });
      const turn = await talk.turn(id, "read the secret");
      expect(turn.of("toolCallResult")).toMatchObject([
        { isError: true, text: expect.stringContaining("denied by Read(secret.txt) from the user") },
      ]);
      expect(JSON.stringify(turn.of("toolCallResult").map(({ text }) => text))).not.toContain(SECRET);
      expect(turn.of("permissionDecided")).toMatchObject([
        { disposition: Disposition.DENIED, decidedBy: "rule", rule: "Read(secret.txt)" },
      ]);
      const names = turn.cases;
      expect(names.indexOf("toolCallStart")).toBeLessThan(names.indexOf("permissionDecided"));
      expect(names.indexOf("permissionDecided")).toBeLessThan(names.indexOf("toolCallResult"));
      expect(audited(talk)).toMatchObject([
        { actor: "rule: Read(secret.txt)", action: "denied", detail: expect.stringContaining("secret.txt") },
      ]);
    },
    60_000,
  );

  test("what is to be asked is asked once, also where permissions are bypassed", async () => {
    const { talk, id } = await openProject((bench) => [readSecret(bench)]);
    await userRule(talk, RuleBehavior.ASK, "Read(secret.txt)");
    await talk.sessions.setMode({ sessionId: id, permissionMode: "bypassPermissions" });
    const turn = await talk.turn(id, "read the secret", allowing(talk));
    expect(turn.of("permissionAsked")).toMatchObject([
      { question: { toolName: "Read", reason: expect.stringContaining("Read(secret.txt)") } },
    ]);
    expect(turn.of("permissionDecided")).toMatchObject([{ disposition: Disposition.ALLOWED }]);
    expect(turn.of("toolCallResult")[0]?.text).toContain(SECRET);
    expect(audited(talk)).toHaveLength(1);
  }, 60_000);

  test("where the mode asks nobody, what is to be asked is refused", async () => {
    const { talk, id } = await openProject((bench) => [readSecret(bench)]);
    await userRule(talk, RuleBehavior.ASK, "Read(secret.txt)");
    await talk.sessions.setMode({ sessionId: id, permissionMode: "dontAsk" });
    const turn = await talk.turn(id, "read the secret");
    expect(turn.of("permissionAsked")).toEqual([]);
    expect(turn.of("toolCallResult")).toMatchObject([{ isError: true }]);
  }, 60_000);

  test("a call that is denied where it would have been asked about is decided once", async () => {
    const { bench, talk, id } = await openProject(() => [
      calls("Bash", { command: "touch made", description: "" }),
    ]);
    await userRule(talk, RuleBehavior.DENY, "Bash(touch:*)");
    const turn = await talk.turn(id, "make it");
    expect(turn.of("permissionDecided")).toHaveLength(1);
    expect(audited(talk)).toHaveLength(1);
    expect(existsSync(join(bench.project, "made"))).toBe(false);
  }, 60_000);

  test("an allow rule lets nothing run by itself that the agent refuses", async () => {
    const { bench, talk, id } = await openProject(() => [
      calls("Bash", { command: "touch made", description: "" }),
    ]);
    await userRule(talk, RuleBehavior.ALLOW, "Bash(touch:*)");
    await talk.sessions.setMode({ sessionId: id, permissionMode: "dontAsk" });
    const turn = await talk.turn(id, "make it");
    expect(turn.of("toolCallResult")).toMatchObject([{ isError: true }]);
    expect(existsSync(join(bench.project, "made"))).toBe(false);
  }, 60_000);

  test("a rule that comes or goes while a session runs counts from the next call on", async () => {
    const { talk, id } = await openProject((bench) => [
      readSecret(bench),
      readSecret(bench),
      readSecret(bench),
    ]);
    expect((await talk.turn(id, "first")).of("toolCallResult")[0]?.text).toContain(SECRET);
    const { rule } = await userRule(talk, RuleBehavior.DENY, "Read(secret.txt)");
    expect((await talk.turn(id, "second")).of("toolCallResult")).toMatchObject([{ isError: true }]);
    await talk.rules.removeRule({ id: rule?.id ?? "" });
    expect((await talk.turn(id, "third")).of("toolCallResult")[0]?.text).toContain(SECRET);
  }, 60_000);

  test("a subagent is held to them as well", async () => {
    const { talk, id } = await openProject((bench) => [
      calls("Agent", { description: "read", prompt: "read the secret", subagent_type: "general-purpose" }),
      readSecret(bench),
    ]);
    await userRule(talk, RuleBehavior.DENY, "Read(secret.txt)");
    const turn = await talk.turn(id, "delegate it");
    expect(turn.of("permissionDecided")).toMatchObject([{ rule: "Read(secret.txt)" }]);
    expect(JSON.stringify(turn.of("toolCallResult").map(({ text }) => text))).not.toContain(SECRET);
  }, 60_000);
});
