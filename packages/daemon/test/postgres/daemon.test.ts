import { existsSync } from "node:fs";
import { join } from "node:path";
import { HealthStatus } from "@agentwire/api";
import { Code } from "@connectrpc/connect";
import { expect, test, vi } from "vitest";
import { defaultConfig } from "../../src/config.ts";
import { openBench, ownAgent } from "../e2e/daemon-bench.ts";
import { newDatabase, run } from "./database.ts";

const ALLOW = { case: "allow", value: {} } as const;

test("a daemon stores everything in the database: the next one continues there with another folder", async () => {
  const storeUrl = await newDatabase();
  const bench = openBench();
  const cluster = { ...defaultConfig({}, "/").cluster, sharedFolders: [bench.project] };
  const agents = [
    ownAgent(bench, [
      { content: [{ type: "tool_use", name: "Bash", input: { command: "touch made.txt" } }] },
      { text: "Made it." },
      { text: "Hello." },
    ]),
  ];
  const first = await bench.open({ agents, storeUrl, cluster });
  const sessionId = await first.create();
  const turn = await first.turn(sessionId, "make a file", (event) =>
    event.body.case === "permissionAsked"
      ? first.questions
          .decide({ questionId: event.body.value.question?.id ?? "", decision: ALLOW })
          .then(() => {})
      : undefined,
  );
  expect(turn.cases).toContain("permissionDecided");
  expect(turn.cases.filter((name) => name === "turnComplete")).toHaveLength(1);
  const key = { sessionId, text: "hello", idempotencyKey: "once" };
  expect(await first.sessions.sendPrompt(key)).toMatchObject({ acceptedNow: true });
  await vi.waitFor(async () => {
    const { events } = await first.sessions.listEvents({ sessionId, pageSize: 1000 });
    expect(events.filter(({ body }) => body.case === "turnComplete")).toHaveLength(2);
  }, 20_000);
  expect(await first.sessions.sendPrompt(key)).toMatchObject({ acceptedNow: false });
  const { session: fork } = await first.sessions.forkSession({ sessionId, title: "fork" });
  const before = await first.sessions.listEvents({ sessionId, pageSize: 1000 });
  await expect(first.admin.backup({ path: join(bench.folder, "b.db") })).rejects.toThrow("pg_dump");
  expect(existsSync(join(bench.folder, "state", "agentwire.db"))).toBe(false);
  await first.running.stop();

  const others = [ownAgent(bench, Array(9).fill({ text: "Hello again." }))];
  const second = await bench.open({ agents: others, storeUrl, cluster, folder: join(bench.folder, "other") });
  await vi.waitFor(async () => {
    const { nodes } = await second.nodes.listNodes({});
    expect(nodes.map(({ sessions, alive, self }) => [sessions, alive, self])).toEqual([
      [2, true, true],
      [0, false, false],
    ]);
  }, 20_000);
  expect((await second.sessions.listSessions({})).sessions.map(({ id }) => id).sort()).toEqual(
    [sessionId, fork?.id ?? ""].sort(),
  );
  expect((await second.sessions.listEvents({ sessionId, pageSize: 1000 })).events).toEqual(before.events);
  expect(await second.sessions.sendPrompt(key)).toMatchObject({ acceptedNow: false });
  expect((await second.turn(sessionId, "hello")).cases).toContain("turnComplete");
  expect(await run(storeUrl, "SELECT DISTINCT owner FROM sessions")).toHaveLength(1);
}, 120_000);

test("without its server a daemon reports it, accepts nothing, and continues when the server is back", async () => {
  const storeUrl = await newDatabase();
  const bench = openBench();
  const talk = await bench.open({
    agents: [ownAgent(bench, [{ text: "Hello." }, { text: "Again." }])],
    storeUrl,
  });
  const sessionId = await talk.create();
  await talk.turn(sessionId, "one");
  const name = new URL(storeUrl).pathname.slice(1);
  const server = storeUrl.replace(`/${name}?`, "/postgres?");
  await run(server, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
  await run(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  const details = () => talk.health.healthDetails({});
  await vi.waitFor(async () => expect((await details()).status).toBe(HealthStatus.NOT_SERVING), 20_000);
  expect((await details()).store?.state).toBe("unreachable");
  await expect(talk.sessions.sendPrompt({ sessionId, text: "two" })).rejects.toMatchObject({
    code: Code.Unavailable,
    rawMessage: expect.stringContaining("STORE_UNAVAILABLE"),
  });
  await run(server, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
  await vi.waitFor(async () => expect((await details()).status).toBe(HealthStatus.SERVING), 20_000);
  expect((await talk.turn(sessionId, "two")).cases).toContain("turnComplete");
}, 120_000);
