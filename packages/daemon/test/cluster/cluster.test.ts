import { mkdirSync } from "node:fs";
import { connect } from "node:http2";
import { createServer } from "node:net";
import { join } from "node:path";
import {
  type Event,
  PromptState,
  RuleBehavior,
  RuleScope,
  SessionService,
  SessionStatus,
} from "@agentwire/api";
import { Code, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { expect, onTestFinished, test, vi } from "vitest";
import { defaultConfig } from "../../src/config.ts";
import { TINY_AGENT } from "../chaos/lab.ts";
import { type Bench, openBench, type Talk } from "../e2e/daemon-bench.ts";
import { newDatabase, run } from "../postgres/database.ts";

const ALLOW = { case: "allow", value: {} } as const;

/** Starts a node with its own folder; the project folder is shared unless a test says otherwise. */
async function node(bench: Bench, storeUrl: string, name: string, shared = bench.project): Promise<Talk> {
  const agents = [{ ...TINY_AGENT, env: { TINY_HOME: bench.folder } }];
  const cluster = { ...defaultConfig({}, "/").cluster, name, sharedFolders: shared === "" ? [] : [shared] };
  const folder = join(bench.folder, name);
  return bench.open({ agents, storeUrl, cluster, folder, socketPath: join(folder, "daemon.sock") });
}

async function three(shared?: string): Promise<{ bench: Bench; url: string; nodes: [Talk, Talk, Talk] }> {
  const [bench, url] = [openBench(), await newDatabase()];
  const nodes: [Talk, Talk, Talk] = [
    await node(bench, url, "one", shared),
    await node(bench, url, "two", shared),
    await node(bench, url, "three", shared),
  ];
  return { bench, url, nodes };
}

test("the message of an error on another node reaches an HTTP/1.1 client", async () => {
  const { nodes, bench } = await three();
  const sessionId = await nodes[0].create();
  await nodes[0].sessions.takeInput({ sessionId, client: "b" });
  const transport = createConnectTransport({
    baseUrl: "http://localhost",
    httpVersion: "1.1",
    nodeOptions: { socketPath: join(bench.folder, "two", "daemon.sock") },
  });
  const sessions = createClient(SessionService, transport);
  await expect(sessions.sendPrompt({ sessionId, text: "no" })).rejects.toMatchObject({
    code: Code.FailedPrecondition,
    rawMessage: expect.stringContaining("NOT_INPUT_HOLDER: b"),
  });
});

/** What a client receives for as long as the test runs. */
function watched(
  { sessions }: Talk,
  sessionId: string,
): { readonly events: Event[]; readonly ended: Promise<string> } {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const events: Event[] = [];
  const ended = (async () => {
    let reason = "";
    try {
      for await (const page of sessions.watch({ sessionId }, { signal: leaving.signal })) {
        events.push(...page.events);
        reason = page.notice?.message ?? reason;
      }
    } catch {}
    return reason;
  })();
  return { events, ended };
}

const numbers = (events: readonly Event[]) => events.map(({ seq }) => Number(seq));

test("any node serves prompts, questions, streams, rules and input of a session on another node", async () => {
  const { nodes, bench, url } = await three();
  const [one, two, three_] = nodes;
  const sessionId = await one.create();
  const streams = nodes.map((talk) => watched(talk, sessionId));
  await vi.waitFor(async () => {
    const { session } = await three_.sessions.getSession({ sessionId });
    expect(session?.watchers).toBe(3);
  }, 20_000);
  const key = { sessionId, text: "ask", idempotencyKey: "once" };
  expect(await two.sessions.sendPrompt(key)).toMatchObject({ acceptedNow: true });
  expect(await three_.sessions.sendPrompt(key)).toMatchObject({ acceptedNow: false });
  await vi.waitFor(async () => {
    const { session } = await two.sessions.getSession({ sessionId });
    expect(session).toMatchObject({ status: SessionStatus.ASKING, openQuestions: 1 });
  }, 20_000);
  const listed = await three_.sessions.listSessions({});
  expect(listed.sessions).toMatchObject([{ id: sessionId, status: SessionStatus.ASKING, openQuestions: 1 }]);
  const { questions } = await three_.questions.listQuestions({ sessionId });
  const answers = nodes.map((talk) =>
    talk.questions.decide({ questionId: questions[0]?.id ?? "", decision: ALLOW }),
  );
  expect((await Promise.all(answers)).filter(({ decidedNow }) => decidedNow)).toHaveLength(1);
  await vi.waitFor(async () => {
    const { session } = await two.sessions.getSession({ sessionId });
    expect(session?.status).toBe(SessionStatus.IDLE);
  }, 20_000);
  // A rule set on one node takes effect on the session's node.
  await three_.rules.setRule({
    rule: "Bash(true)",
    behavior: RuleBehavior.ALLOW,
    scope: RuleScope.SESSION,
    owner: sessionId,
  });
  await vi.waitFor(() => expect(one.running.daemon.rules.all).toHaveLength(1), 20_000);
  const turn = await two.turn(sessionId, "ask");
  expect(turn.cases).not.toContain("permissionAsked");
  expect(turn.cases.filter((name) => name === "turnComplete")).toHaveLength(1);
  await three_.sessions.renameSession({ sessionId, title: "renamed elsewhere" });
  expect((await two.sessions.takeInput({ sessionId, client: "b" })).holder).toBe("b");
  await expect(three_.sessions.sendPrompt({ sessionId, text: "no" })).rejects.toMatchObject({
    code: Code.FailedPrecondition,
    rawMessage: expect.stringContaining("NOT_INPUT_HOLDER"),
  });
  await two.sessions.releaseInput({ sessionId, client: "b" });
  const said = [];
  const commands = [
    { requestId: "1", command: { case: "sendPrompt" as const, value: { sessionId, text: "talk" } } },
  ];
  for await (const { message } of two.sessions.converse(each(commands))) said.push(message);
  expect(said).toMatchObject([{ case: "done", value: { requestId: "1", errorCode: "" } }]);
  await vi.waitFor(async () => {
    const { events } = await one.sessions.listEvents({ sessionId, pageSize: 1000 });
    expect(events.filter(({ body }) => body.case === "turnComplete")).toHaveLength(3);
    const lasts = streams.map(({ events: seen }) => seen.at(-1)?.seq);
    expect(new Set([...lasts, events.at(-1)?.seq]).size).toBe(1);
    for (const talk of [two, three_])
      expect((await talk.sessions.listEvents({ sessionId, pageSize: 1000 })).events).toEqual(events);
  }, 20_000);
  const [first, ...others] = streams.map(({ events }) => events);
  for (const events of others) {
    expect(numbers(events)).toEqual(numbers(first ?? []));
    expect(events).toEqual(first);
  }
  // There is one stream between two nodes, however many clients watch.
  const more = [watched(two, sessionId), watched(two, sessionId)];
  await vi.waitFor(() => expect(more.every(({ events }) => events.length > 0)).toBe(true), 20_000);
  expect((await one.sessions.getSession({ sessionId })).session?.watchers).toBe(3);
  await expect(two.sessions.getSession({ sessionId: "none" })).rejects.toMatchObject({ code: Code.NotFound });
  expect(bench.logged.filter((line) => line.startsWith("error"))).toEqual([]);
  expect(await run(url, "SELECT DISTINCT node FROM audit WHERE kind = 'decision'")).toHaveLength(1);
}, 120_000);

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

test("when a node stops, sessions in shared folders continue elsewhere with their queued prompts; others wait for it", async () => {
  const { nodes, bench, url } = await three();
  const [one, two, last] = nodes;
  const [moving, own] = [await one.create(), join(bench.folder, "own")];
  mkdirSync(own);
  const pinned = (await one.sessions.createSession({ cwd: own })).session?.id ?? "";
  await one.turn(pinned, "talk");
  await two.turn(moving, "talk");
  const stream = watched(two, moving);
  await two.sessions.sendPrompt({ sessionId: moving, text: "ask" });
  await vi.waitFor(() => expect(stream.events.at(-1)?.body.case).toBe("statusChange"), 20_000);
  await vi.waitFor(async () => {
    const { session } = await last.sessions.getSession({ sessionId: moving });
    expect(session?.status).toBe(SessionStatus.ASKING);
  }, 20_000);
  await two.sessions.sendPrompt({ sessionId: moving, text: "talk 2" });
  await one.running.stop();
  const turn = await last.turn(moving, "talk 3");
  expect(turn.cases).toContain("turnComplete");
  await vi.waitFor(async () => {
    const { events } = await two.sessions.listEvents({ sessionId: moving, pageSize: 1000 });
    expect(events.filter(({ body }) => body.case === "turnComplete").length).toBeGreaterThanOrEqual(3);
    const ends = events.filter(({ body }) => body.case === "permissionDecided");
    expect(ends).toHaveLength(1);
  }, 20_000);
  // The pinned session can be read everywhere; other calls report the node it belongs to.
  const { events } = await last.sessions.listEvents({ sessionId: pinned, pageSize: 1000 });
  expect(events.map(({ body }) => body.case)).toContain("turnComplete");
  await expect(last.sessions.sendPrompt({ sessionId: pinned, text: "talk" })).rejects.toMatchObject({
    code: Code.Unavailable,
    rawMessage: expect.stringMatching(/NODE_DOWN: .*node one.*agentwire sessions move/),
  });
  // A person who knows that the folder exists elsewhere can still move it.
  await two.nodes.moveSession({ sessionId: pinned, to: "three" });
  expect((await two.turn(pinned, "talk")).cases).toContain("turnComplete");
  expect(await run(url, "SELECT count(DISTINCT owner)::int AS n FROM sessions")).not.toEqual([{ n: 0 }]);
  // Planned moves wait for the turn to end.
  await two.nodes.moveSession({ sessionId: pinned, to: "two" });
  expect((await last.turn(pinned, "talk")).cases).toContain("turnComplete");
  expect(two.running.daemon.registry.find(pinned)).toBeDefined();
  expect(last.running.daemon.registry.find(pinned)).toBeUndefined();
  await expect(two.nodes.moveSession({ sessionId: pinned, to: "four" })).rejects.toThrow("no node is called");
  expect(await two.nodes.drainNode({})).toMatchObject({ kept: 1 });
  expect(bench.logged.filter((line) => line.startsWith("error"))).toEqual([]);
}, 120_000);

test("a client that is faster than a takeover finds the session settled, and its queued prompts continue", async () => {
  const [bench, url] = [openBench(), await newDatabase()];
  const [one, two] = [await node(bench, url, "one"), await node(bench, url, "two")];
  const sessionId = await two.create();
  await two.turn(sessionId, "talk 1");
  await two.running.stop();
  await vi.waitFor(async () => {
    const [row] = await run(url, `SELECT owner FROM sessions WHERE id = '${sessionId}'`);
    expect(row?.owner).toBe(one.running.daemon.cluster?.nodes.id);
  }, 20_000);
  expect(one.running.daemon.registry.find(sessionId)).toBeUndefined();
  // The state left by a node that died in a turn with a second prompt queued; the other node owns the session but has not read it.
  await run(
    url,
    `UPDATE prompts SET state = ${PromptState.STARTED};
     INSERT INTO prompts SELECT 'next', session_id, 'next', content, shown, client, ${PromptState.QUEUED}, seq + 1 FROM prompts;
     UPDATE sessions SET status = ${SessionStatus.RUNNING}`,
  );
  await one.sessions.getSession({ sessionId });
  await vi.waitFor(async () => {
    const { events } = await one.sessions.listEvents({ sessionId, pageSize: 1000 });
    const changes = events.flatMap(({ body }) => (body.case === "promptChange" ? [body.value] : []));
    expect(changes.filter(({ cutOff }) => cutOff)).toHaveLength(1);
    expect(changes.at(-1)).toMatchObject({ promptId: "next", state: PromptState.COMPLETED });
    expect((await one.sessions.getSession({ sessionId })).session?.status).toBe(SessionStatus.IDLE);
  }, 20_000);
}, 60_000);

test("a call to a node that hangs continues elsewhere when its lease expires", async () => {
  const [bench, url] = [openBench(), await newDatabase()];
  const [one, two] = [await node(bench, url, "one"), await node(bench, url, "two")];
  const sessionId = await two.create();
  await two.running.stop();
  await vi.waitFor(async () => {
    const [row] = await run(url, `SELECT owner FROM sessions WHERE id = '${sessionId}'`);
    expect(row?.owner).toBe(one.running.daemon.cluster?.nodes.id);
  }, 20_000);
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as { port: number };
  await run(
    url,
    `INSERT INTO nodes (id, epoch, address, expires, name) VALUES ('silent', 1, '127.0.0.1:${port}', now() + interval '3 s', 'silent');
     UPDATE sessions SET owner = 'silent'`,
  );
  const { acceptedNow } = await one.sessions.sendPrompt({ sessionId, text: "talk 1" }, { timeoutMs: 50_000 });
  expect(acceptedNow).toBe(true);
  expect(one.running.daemon.registry.find(sessionId)).toBeDefined();
}, 60_000);

test("the port for nodes rejects peers without the key, and new sessions start on the node that has their folder", async () => {
  const { bench, url, nodes } = await three("");
  const [one] = nodes;
  const { nodes: listed } = await one.nodes.listNodes({});
  expect(listed.map(({ name, alive }) => [name, alive])).toEqual([
    ["one", true],
    ["three", true],
    ["two", true],
  ]);
  const address = listed[0]?.address ?? "";
  const refused = (url: string, options: object) =>
    new Promise<string>((resolve) => {
      const session = connect(url, { rejectUnauthorized: false, ...options });
      session.on("error", (error) => resolve((error as NodeJS.ErrnoException).code ?? "error"));
      session.on("close", () => resolve("closed"));
      session.on("connect", () => resolve("connected"));
      onTestFinished(() => session.destroy());
    });
  expect(await refused(`https://${address}`, {})).not.toBe("connected");
  const wrong = {
    ciphers: "ECDHE-PSK-CHACHA20-POLY1305",
    maxVersion: "TLSv1.2",
    pskCallback: () => ({ psk: Buffer.alloc(32), identity: "agentwire" }),
  };
  expect(await refused(`https://${address}`, wrong)).not.toBe("connected");
  expect(await run(url, "SELECT count(*)::int AS n FROM nodes")).toEqual([{ n: 3 }]);
  expect(bench.logged.filter((line) => line.startsWith("error"))).toEqual([]);
}, 120_000);
