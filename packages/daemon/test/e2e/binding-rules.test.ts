import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Disposition, type Event, RuleBehavior, RuleScope } from "@agentwire/api";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { type Bench, openBench, ownAgent, type Talk, type Turn } from "./daemon-bench.ts";

const calls = (name: string, input: JsonObject) => ({ content: [{ type: "tool_use", name, input }] });
const DONE = { text: "Done." };
const SECRET = "the content of the secret";
const ALLOW = { case: "allow", value: {} } as const;
const DENY = { case: "deny", value: {} } as const;

/** A project with a secret, and the built-in agent, which makes one of these calls for each prompt. */
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

const answering =
  (decision: typeof ALLOW | typeof DENY) =>
  ({ questions }: Talk) =>
  ({ body }: Event) =>
    body.case === "permissionAsked"
      ? questions.decide({ questionId: body.value.question?.id ?? "", decision }).then(() => {})
      : undefined;
const allowing = answering(ALLOW);
const denying = answering(DENY);

const audited = ({ running: { daemon } }: Talk) =>
  daemon.store.audit.page({ from: 0, backwards: false, kind: "decision", limit: 1000 });

describe("rules bind calls that the agent would not ask about", () => {
  test.each(["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"])(
    "in mode %s a denied file is not read: one event, one audit entry, and the model sees the reason",
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
      expect(await audited(talk)).toMatchObject([
        { actor: "rule: Read(secret.txt)", action: "denied", detail: expect.stringContaining("secret.txt") },
      ]);
    },
    60_000,
  );

  test("an ask rule leads to exactly one question, even with permissions bypassed", async () => {
    const { talk, id } = await openProject((bench) => [readSecret(bench)]);
    await userRule(talk, RuleBehavior.ASK, "Read(secret.txt)");
    await talk.sessions.setMode({ sessionId: id, permissionMode: "bypassPermissions" });
    const turn = await talk.turn(id, "read the secret", allowing(talk));
    expect(turn.of("permissionAsked")).toMatchObject([
      { question: { toolName: "Read", reason: expect.stringContaining("Read(secret.txt)") } },
    ]);
    expect(turn.of("permissionDecided")).toMatchObject([{ disposition: Disposition.ALLOWED }]);
    expect(turn.of("toolCallResult")[0]?.text).toContain(SECRET);
    expect(await audited(talk)).toHaveLength(1);
  }, 60_000);

  test("dontAsk mode denies calls that need a question", async () => {
    const { talk, id } = await openProject((bench) => [readSecret(bench)]);
    await userRule(talk, RuleBehavior.ASK, "Read(secret.txt)");
    await talk.sessions.setMode({ sessionId: id, permissionMode: "dontAsk" });
    const turn = await talk.turn(id, "read the secret");
    expect(turn.of("permissionAsked")).toEqual([]);
    expect(turn.of("toolCallResult")).toMatchObject([{ isError: true }]);
  }, 60_000);

  test("a denied call that would otherwise raise a question is decided once", async () => {
    const { bench, talk, id } = await openProject(() => [
      calls("Bash", { command: "touch made", description: "" }),
    ]);
    await userRule(talk, RuleBehavior.DENY, "Bash(touch:*)");
    const turn = await talk.turn(id, "make it");
    expect(turn.of("permissionDecided")).toHaveLength(1);
    expect(await audited(talk)).toHaveLength(1);
    expect(existsSync(join(bench.project, "made"))).toBe(false);
  }, 60_000);

  test("an allow rule does not permit a call that the agent refuses", async () => {
    const { bench, talk, id } = await openProject(() => [
      calls("Bash", { command: "touch made", description: "" }),
    ]);
    await userRule(talk, RuleBehavior.ALLOW, "Bash(touch:*)");
    await talk.sessions.setMode({ sessionId: id, permissionMode: "dontAsk" });
    const turn = await talk.turn(id, "make it");
    expect(turn.of("toolCallResult")).toMatchObject([{ isError: true }]);
    expect(existsSync(join(bench.project, "made"))).toBe(false);
  }, 60_000);

  test.each([
    ["in plan mode", "plan", "made.txt"],
    ["to a file that controls other programs", "default", ".vscode/tasks.json"],
  ])(
    "an allow rule does not permit a change %s: a person is asked",
    async (_, permissionMode, file) => {
      const { bench, talk, id } = await openProject(({ project }) => [
        calls("Write", { file_path: join(project, file), content: "x" }),
      ]);
      await userRule(talk, RuleBehavior.ALLOW, "Edit");
      await talk.sessions.setMode({ sessionId: id, permissionMode });
      const turn = await talk.turn(id, "write it", denying(talk));
      expect(turn.of("permissionAsked")).toHaveLength(1);
      expect(turn.of("permissionDecided")).toMatchObject([{ disposition: Disposition.DENIED }]);
      expect(existsSync(join(bench.project, file))).toBe(false);
    },
    60_000,
  );

  test.each([
    ["a folder", () => "Edit(.vscode/**)"],
    ["a file", (project: string) => `Edit(/${join(project, ".vscode/tasks.json")})`],
    ["a command", () => "Bash(mkdir -p .vscode && echo x > .vscode/tasks.json)"],
  ])(
    "an allow rule that names %s permits changes that a safety check would stop",
    async (named, rule) => {
      const { bench, talk, id } = await openProject(({ project }) => [
        named === "a command"
          ? bash("mkdir -p .vscode && echo x > .vscode/tasks.json")
          : calls("Write", { file_path: join(project, ".vscode/tasks.json"), content: "x" }),
      ]);
      await userRule(talk, RuleBehavior.ALLOW, "Edit");
      await userRule(talk, RuleBehavior.ALLOW, rule(bench.project));
      const turn = await talk.turn(id, "write it", denying(talk));
      expect(turn.of("permissionAsked")).toEqual([]);
      expect(existsSync(join(bench.project, ".vscode/tasks.json"))).toBe(true);
    },
    60_000,
  );

  test("a rule added or removed during a session applies from the next call on", async () => {
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

  test("rules bind subagents as well", async () => {
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

/** The tool results the model received, through which a secret could leak. */
const told = (turn: Turn) => JSON.stringify(turn.of("toolCallResult").map(({ text }) => text));
const bash = (command: string) => calls("Bash", { command, description: "" });

describe("rules about a file bind calls that do not name it", () => {
  test.each([
    ["a command that names it", bash("cat secret.txt")],
    ["a command that searches its folder", bash("grep -r content .")],
    ["a command that writes it", bash("echo changed > secret.txt")],
    ["a search through its folder", calls("Grep", { pattern: "content", output_mode: "content" })],
  ])(
    "%s cannot access a denied file, even with permissions bypassed",
    async (_, call) => {
      const { bench, talk, id } = await openProject(() => [call]);
      await userRule(talk, RuleBehavior.DENY, "Read(secret.txt)");
      await userRule(talk, RuleBehavior.DENY, "Edit(secret.txt)");
      await talk.sessions.setMode({ sessionId: id, permissionMode: "bypassPermissions" });
      const turn = await talk.turn(id, "get at the secret", denying(talk));
      expect(turn.of("toolCallResult")).toHaveLength(1);
      expect(told(turn)).not.toContain(SECRET);
      expect(readFileSync(join(bench.project, "secret.txt"), "utf8")).toContain(SECRET);
    },
    60_000,
  );

  test("rules added or removed during a session apply to commands as well", async () => {
    const { talk, id } = await openProject(() => [
      bash("cat secret.txt"),
      bash("cat secret.txt"),
      bash("cat secret.txt"),
    ]);
    expect(told(await talk.turn(id, "first"))).toContain(SECRET);
    const { rule } = await userRule(talk, RuleBehavior.DENY, "Read(secret.txt)");
    expect(told(await talk.turn(id, "second"))).not.toContain(SECRET);
    await talk.rules.removeRule({ id: rule?.id ?? "" });
    expect(told(await talk.turn(id, "third"))).toContain(SECRET);
  }, 60_000);

  test("a command that names a file with an ask rule leads to a question", async () => {
    const { talk, id } = await openProject(() => [bash("cat secret.txt")]);
    await userRule(talk, RuleBehavior.ASK, "Read(secret.txt)");
    const turn = await talk.turn(id, "read the secret", allowing(talk));
    expect(turn.of("permissionAsked")).toHaveLength(1);
    expect(told(turn)).toContain(SECRET);
  }, 60_000);

  test("a narrower allow rule still applies, and commands that touch other denied files are asked about", async () => {
    const { bench, talk, id } = await openProject((bench) => [readSecret(bench), bash("cat other.txt")]);
    writeFileSync(join(bench.project, "other.txt"), "other content\n");
    await userRule(talk, RuleBehavior.DENY, "Read(*.txt)");
    await talk.rules.setRule({
      rule: "Read(secret.txt)",
      behavior: RuleBehavior.ALLOW,
      scope: RuleScope.SESSION,
      owner: id,
    });
    expect(told(await talk.turn(id, "the exception"))).toContain(SECRET);
    const turn = await talk.turn(id, "the rest", allowing(talk));
    expect(turn.of("permissionAsked")).toHaveLength(1);
  }, 60_000);
});
