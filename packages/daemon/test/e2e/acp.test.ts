import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Disposition, type Event, RuleBehavior, RuleScope } from "@agentwire/api";
import { describe, expect, test } from "vitest";
import type { AgentConfig } from "../../src/agents.ts";
import { type Bench, openBench, type Talk } from "./daemon-bench.ts";

const PROGRAM = fileURLToPath(new URL("acp-agent.mjs", import.meta.url));

/** An agent built on the official library; like many agents it is a script that needs a runtime. */
function acpAgent({ folder }: Bench, more: Partial<AgentConfig> = {}): AgentConfig {
  const memory = join(folder, "memory");
  mkdirSync(memory, { recursive: true });
  return {
    name: "stranger",
    path: PROGRAM,
    dialect: "acp",
    ...more,
    env: { ACP_AGENT_MEMORY: memory, ...more.env },
  };
}

const textsOf = (events: readonly Event[]) =>
  events.flatMap(({ body }) => (body.case === "text" ? [body.value.text] : []));
const find = <C extends Event["body"]["case"]>(events: readonly Event[], name: C) =>
  events.flatMap(({ body }) =>
    body.case === name ? [body.value as never as Extract<Event["body"], { case: C }>["value"]] : [],
  );

const answering =
  ({ questions }: Talk, decision: { case: "allow"; value: object } | { case: "deny"; value: object }) =>
  async ({ body }: Event): Promise<void> => {
    if (body.case !== "permissionAsked") return;
    await questions.decide({ questionId: body.value.question?.id ?? "", decision: decision as never });
  };
const ALLOW = { case: "allow", value: {} } as const;
const DENY = { case: "deny", value: {} } as const;

describe("an Agent Client Protocol agent, through a daemon,", { timeout: 60_000 }, () => {
  test("talks, plans, asks, obeys rules, uses the daemon's files and commands, and is cancelled, resumed and restarted", async () => {
    const bench = openBench();
    const talk = await bench.open({ agents: [acpAgent(bench)] });
    const id = await talk.create();

    const serversJson = JSON.stringify({ docs: { command: "docs-server", args: [] } });
    await talk.sessions.setMcpServers({ sessionId: id, serversJson });
    await expect(talk.sessions.setMcpServers({ sessionId: id, serversJson: "[]" })).rejects.toThrow(
      /expected servers by name/,
    );
    const hello = await talk.turn(id, "hello");
    expect(textsOf(hello.events)).toEqual(["Hello there."]);
    expect(find(hello.events, "thinking")).toMatchObject([{ text: "They greet." }]);
    expect(find(hello.events, "textDelta").map(({ text }) => text)).toEqual(["Hello ", "there."]);
    expect(find(hello.events, "todoList")).toMatchObject([
      { items: [{ content: "Be nice", status: "in_progress" }] },
    ]);
    expect(find(hello.events, "turnComplete")).toMatchObject([{ isError: false }]);
    expect(find(hello.events, "sessionInfo")).toMatchObject([
      { model: "small", agentVersion: "1.2.3", cwd: bench.project },
    ]);

    expect(textsOf((await talk.turn(id, "servers")).events)).toEqual(["It has docs"]);
    const allowed = await talk.turn(id, "run make all", answering(talk, ALLOW));
    expect(find(allowed.events, "toolCallStart")).toMatchObject([
      { name: "Bash", inputJson: '{"command":"make all"}' },
    ]);
    expect(find(allowed.events, "toolCallResult")).toMatchObject([{ text: "yes", isError: false }]);
    const denied = await talk.turn(id, "run make clean", answering(talk, DENY));
    expect(find(denied.events, "toolCallResult")).toMatchObject([{ text: "no", isError: true }]);

    await talk.rules.setRule({
      rule: "Bash(rm:*)",
      behavior: RuleBehavior.DENY,
      scope: RuleScope.USER,
    });
    const ruled = await talk.turn(id, "run rm -rf /");
    expect(find(ruled.events, "permissionDecided")).toMatchObject([
      { disposition: Disposition.DENIED, decidedBy: "rule" },
    ]);
    expect(find(ruled.events, "toolCallResult")).toMatchObject([{ text: "no", isError: true }]);

    // Files: written at once inside the folder, after a question elsewhere.
    const inside = join(bench.project, "deep", "note.txt");
    expect(textsOf((await talk.turn(id, `write ${inside} good day`)).events)).toEqual(["read good day"]);
    expect(readFileSync(inside, "utf8")).toBe("good day");
    const outside = join(bench.folder, "outside.txt");
    const refused = await talk.turn(id, `write ${outside} bad day`, answering(talk, DENY));
    expect(find(refused.events, "permissionAsked")).toMatchObject([
      { question: { toolName: "Write", blockedPath: outside } },
    ]);
    expect(textsOf(refused.events)[0]).toMatch(/^failed: /);
    expect(existsSync(outside)).toBe(false);

    // Commands: run by the daemon unless a rule forbids them.
    const ran = await talk.turn(id, "terminal echo out; echo err >&2; exit 3");
    expect(textsOf(ran.events)[0]).toMatch(/^exit 3: (out\nerr|err\nout)$/);
    expect(textsOf((await talk.turn(id, "terminal rm -rf nothing")).events)[0]).toMatch(
      /^failed: .*denied by .*Bash\(rm:\*\)/,
    );

    // A form: an answer that its schema rejects is refused with the reason, and the question stays open.
    const { questions } = talk;
    const filled = await talk.turn(id, "form", async ({ body }) => {
      if (body.case !== "questionAsked") return;
      const questionId = body.value.question?.id ?? "";
      expect(body.value.question).toMatchObject({
        elicitation: { server: "Test agent", message: "Where to?" },
        userQuestions: [
          { question: "Host", optional: false },
          { question: "Port", initial: "22", format: "integer" },
          { question: "Encrypted", optional: true, onlyOptions: true },
        ],
      });
      for (const [answers, fault] of [
        [{ Port: "22" }, /no answer given to: Host/],
        [{ Host: "example.com", Port: "99999" }, /Port: enter at most 65535/],
        [{ Host: "example.com", Port: "2", Encrypted: "perhaps" }, /Encrypted: choose Yes or No/],
      ] as const)
        await expect(questions.answer({ questionId, answers })).rejects.toThrow(fault);
      const contentJson = JSON.stringify({ host: "example.com", port: 2, more: 1 });
      await expect(questions.answer({ questionId, contentJson })).rejects.toThrow(/no field more/);
      await questions.answer({
        questionId,
        answers: { Host: "example.com", Port: "2222", Encrypted: "yes" },
      });
    });
    expect(textsOf(filled.events)).toEqual([
      '{"action":"accept","content":{"host":"example.com","port":2222,"tls":true}}',
    ]);
    expect(find(filled.events, "questionAnswered")).toMatchObject([
      { answers: { Host: "example.com", Port: "2222", Encrypted: "Yes" } },
    ]);
    const asking =
      (act: (questionId: string) => Promise<unknown>) =>
      async ({ body }: Event): Promise<void> => {
        if (body.case === "questionAsked") await act(body.value.question?.id ?? "");
      };
    const declining = asking((questionId) => questions.decide({ questionId, decision: DENY }));
    expect(textsOf((await talk.turn(id, "form", declining)).events)).toEqual(['{"action":"decline"}']);
    const stopping = asking(() => talk.sessions.interrupt({ sessionId: id }));
    const stopped = await talk.turn(id, "form", stopping);
    expect(find(stopped.events, "questionAnswered")).toMatchObject([{ disposition: Disposition.ABORTED }]);
    expect(textsOf(stopped.events)).toEqual(['{"action":"cancel"}']);

    // A page to open; URLs that are not web pages are declined.
    const opening = asking((questionId) => questions.answer({ questionId }));
    const opened = await talk.turn(id, "page https://example.com/in", opening);
    expect(textsOf(opened.events)).toEqual(['{"action":"accept"}']);
    const foul = await talk.turn(id, "page javascript:alert(1)");
    expect(textsOf(foul.events)).toEqual(['{"action":"decline"}']);
    expect(find(foul.events, "error")[0]?.message).toMatch(/was declined: its URL is not that of a web page/);
    await talk.rules.setRule({ rule: "Elicitation", behavior: RuleBehavior.DENY, scope: RuleScope.USER });
    expect(textsOf((await talk.turn(id, "form")).events)).toEqual(['{"action":"decline"}']);

    const cancelled = await talk.turn(id, "wait", async ({ body }) => {
      if (body.case === "textDelta") await talk.sessions.interrupt({ sessionId: id });
    });
    expect(find(cancelled.events, "turnComplete")).toMatchObject([
      { isError: true, terminalReason: "aborted_streaming" },
    ]);

    await talk.sessions.setModel({ sessionId: id, model: "large" });
    await expect(talk.sessions.setModel({ sessionId: id, model: "huge" })).rejects.toThrow(
      /has no model huge; it has small, large/,
    );
    await expect(talk.sessions.forkSession({ sessionId: id })).rejects.toThrow(/can't copy a conversation/);

    // It crashes; the next prompt resumes its conversation.
    const crashed = await talk.turn(id, "crash");
    expect(find(crashed.events, "error")[0]).toMatchObject({
      stderrTail: expect.stringContaining("falls over"),
    });
    const resumed = await talk.turn(id, "remember");
    expect(textsOf(resumed.events)[0]).toContain("You said hello, servers, run make all");
    expect(find(resumed.events, "sessionInfo")).toMatchObject([{ model: "large" }]);
  });

  test("reports that it lost a conversation, or that it needs a login", async () => {
    const bench = openBench();
    const forgetful = acpAgent(bench);
    const login = acpAgent(bench, { name: "login", env: { ACP_AGENT_LOGIN: "1" } });
    const agents = [forgetful, login];
    const before = await bench.open({ agents });
    const id = await before.create();
    await before.turn(id, "hello");
    await before.running.stop();
    rmSync(join(bench.folder, "memory"), { recursive: true });
    mkdirSync(join(bench.folder, "memory"));
    const talk = await bench.open({ agents });
    const errorsOf = ({ events }: { readonly events: readonly Event[] }) =>
      JSON.stringify(find(events, "error").map(({ message }) => message));
    expect(errorsOf(await talk.turn(id, "hello"))).toMatch(
      /Test agent could not resume the session [\w-]+: Invalid params: it was forgotten/,
    );
    const { session } = await talk.sessions.createSession({ agent: "login", cwd: bench.project });
    const wanting = await talk.turn(session?.id ?? "", "hello");
    expect(errorsOf(wanting)).toContain(
      "Test agent requires a login first: Authentication required. Log in with its own program, or name one of its methods as auth_method: key (API key)",
    );
  });
});
