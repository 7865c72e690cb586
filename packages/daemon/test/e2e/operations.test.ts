import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { HealthStatus, type SessionStatus } from "@agentwire/api";
import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { openBench, payingAgent, scriptedAgent, type Talk } from "./daemon-bench.ts";

/** The metrics as Prometheus reads them: every sample by name and labels. */
async function scrape({ running }: Talk): Promise<ReadonlyMap<string, number>> {
  const body = await new Promise<string>((resolve, reject) => {
    request({ socketPath: running.addresses[0], path: "/metrics" }, (response) => {
      expect(response.headers["content-type"]).toContain("text/plain; version=0.0.4");
      resolve(text(response));
    })
      .on("error", reject)
      .end();
  });
  const samples = new Map<string, number>();
  let name = "";
  for (const line of body.trimEnd().split("\n")) {
    if (line.startsWith("# HELP ")) continue;
    const type = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line);
    if (type) {
      name = type[1] ?? "";
      continue;
    }
    const sample = /^([a-z_]+(?:\{(?:[a-z_]+="(?:[^"\\]|\\.)*",?)+\})?) (-?[\d.e+-]+)$/.exec(line);
    expect(sample, line).not.toBeNull();
    expect(line.startsWith(name), line).toBe(true);
    expect(samples.has(sample?.[1] ?? ""), line).toBe(false);
    samples.set(sample?.[1] ?? "", Number(sample?.[2]));
  }
  return samples;
}

test("metrics count events, including unknown types and tolerated parse errors", async () => {
  const bench = openBench();
  const say = (line: object) => ({ say: { session_id: "s", ...line } });
  const talk = await bench.open({
    agents: [
      // Newer than every tested version: unreadable messages are tolerated.
      scriptedAgent(bench, "9.9.9 (Claude Code)", [
        { hear: { type: "user" } },
        say({ type: "system", subtype: "init", tools: ["Bash"], model: "m", cwd: "/" }),
        say({ type: "from_the_future" }),
        say({ type: "assistant", message: 5 }),
        say({
          type: "control_request",
          request_id: "r",
          request: { subtype: "can_use_tool", tool_name: "Bash", tool_use_id: "t", input: {} },
        }),
        { hear: { type: "control_response" } },
        say({ type: "result", subtype: "success", usage: { input_tokens: 7 }, total_cost_usd: 0.5 }),
      ]),
    ],
  });
  const before = await scrape(talk);
  expect(before.get("agentwire_turns_total")).toBeUndefined();
  await talk.turn(await talk.create(), "go", async ({ body }) => {
    if (body.case !== "permissionAsked") return;
    const questionId = body.value.question?.id ?? "";
    await talk.questions.decide({ questionId, decision: { case: "deny", value: {} } });
  });
  await expect(talk.sessions.getSession({ sessionId: "nobody" })).rejects.toMatchObject({
    code: Code.NotFound,
  });
  const after = await scrape(talk);
  const expected: [string, number][] = [
    ['agentwire_unknown_types_total{agent="fake"}', 1],
    ['agentwire_parse_errors_tolerated_total{agent="fake"}', 1],
    ['agentwire_parse_errors_fatal_total{agent="fake"}', 0],
    ['agentwire_turns_total{outcome="done"}', 1],
    ['agentwire_permission_decisions_total{disposition="denied",decider="client"}', 1],
    ['agentwire_tokens_total{kind="inputTokens"}', 7],
    ["agentwire_cost_usd_total", 0.5],
    ["agentwire_question_wait_seconds_count", 1],
    ["agentwire_agent_starts_total", 1],
    ["agentwire_prompts_total", 1],
    ['agentwire_sessions{status="idle"}', 1],
    ["agentwire_processes_limit", 20],
    ['agentwire_rpc_seconds_count{method="agentwire.v1.SessionService/GetSession",code="not_found"}', 1],
    ['agentwire_rpc_seconds_count{method="agentwire.v1.SessionService/SendPrompt",code="ok"}', 1],
    ["agentwire_store_queue_depth", 0],
    ["agentwire_serving", 1],
  ];
  for (const [name, value] of expected) expect([name, after.get(name)]).toEqual([name, value]);
  expect(after.get("agentwire_events_total")).toBeGreaterThan(8);
  expect(after.get("agentwire_agent_lines_total")).toBeGreaterThanOrEqual(5);
  expect(after.get("agentwire_store_commit_seconds_count")).toBeGreaterThan(2);
  expect(after.get('agentwire_event_loop_delay_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0);
}, 60_000);

test("metrics on the port require the token", async () => {
  const talk = await openBench().open();
  const [, address = ""] = talk.running.addresses;
  expect((await fetch(`${address}/metrics`)).status).toBe(401);
  const answer = await fetch(`${address}/metrics`, {
    headers: { authorization: `Bearer ${talk.running.token}` },
  });
  expect(await answer.text()).toContain("process_resident_memory_bytes");
}, 60_000);

test("metrics ignore query parameters", async () => {
  const talk = await openBench().open();
  const [, address = ""] = talk.running.addresses;
  expect((await fetch(`${address}/metrics?x`)).status).toBe(401);
  const headers = { authorization: `Bearer ${talk.running.token}` };
  const answer = await fetch(`${address}/metrics?name[]=up`, { headers });
  expect(answer.headers.get("content-type")).toContain("version=0.0.4");
  expect(await answer.text()).toContain("process_resident_memory_bytes");
}, 60_000);

test("a request keeps the id its client chose, and is assigned one otherwise", async () => {
  const talk = await openBench().open();
  const ids: (string | null)[] = [];
  const onHeader = (header: Headers) => void ids.push(header.get("x-request-id"));
  await talk.health.getVersion({}, { headers: { "x-request-id": "mine-1" }, onHeader });
  await talk.health.getVersion({}, { headers: { "x-request-id": "a b" }, onHeader });
  expect(ids).toEqual(["mine-1", expect.stringMatching(/^[0-9a-f-]{36}$/)]);
}, 60_000);

async function untilStatus({ sessions }: Talk, sessionId: string, wanted: keyof typeof SessionStatus) {
  const { SessionStatus: statuses } = await import("@agentwire/api");
  for await (const page of sessions.watch({ sessionId }))
    for (const { body } of page.events)
      if (body.case === "statusChange" && body.value.status === statuses[wanted]) return;
}

test("a stop lets a running turn finish, starts no other, and keeps queued prompts", async () => {
  const bench = openBench();
  const config = { agents: [payingAgent(bench)], maxProcesses: 1 };
  const talk = await bench.open(config);
  const busy = await talk.create();
  const waiting = await talk.create();
  await talk.sessions.sendPrompt({ sessionId: busy, text: "wait" });
  await untilStatus(talk, busy, "RUNNING");
  await talk.sessions.sendPrompt({ sessionId: waiting, text: "1" });
  const stopped = talk.running.stop(60_000);
  await expect(talk.sessions.sendPrompt({ sessionId: busy, text: "1" })).rejects.toMatchObject({
    rawMessage: expect.stringContaining("SHUTTING_DOWN"),
  });
  writeFileSync(join(bench.project, "wait"), "");
  await stopped;
  const next = await bench.open(config);
  const casesOf = async (sessionId: string) =>
    (await next.sessions.listEvents({ sessionId, pageSize: 1000 })).events.map(({ body }) => body.case);
  expect(await casesOf(busy)).toContain("turnComplete");
  for await (const page of next.sessions.watch({ sessionId: waiting }))
    if (page.events.some(({ body }) => body.case === "turnComplete")) break;
}, 60_000);

test("a stop ends at its time limit, or at once when hurried", async () => {
  const bench = openBench();
  const config = { agents: [payingAgent(bench)] };
  for (const [limit, hurry] of [
    [100, undefined],
    [600_000, AbortSignal.abort()],
  ] as const) {
    const talk = await bench.open(config);
    const sessionId = await talk.create();
    await talk.sessions.sendPrompt({ sessionId, text: "wait" });
    await untilStatus(talk, sessionId, "RUNNING");
    await talk.running.stop(limit, hurry);
  }
}, 60_000);

test("a damaged store is reported, stays readable, rejects writes, and works again after a restore", async () => {
  const bench = openBench();
  const config = { agents: [payingAgent(bench)] };
  const first = await bench.open(config);
  const sessionId = await first.create();
  for (let i = 0; i < 3; i++) await first.turn(sessionId, "0.1");
  const backup = join(bench.folder, "backup.db");
  await first.admin.backup({ path: backup });
  await first.running.stop();
  const store = join(bench.folder, "state", "agentwire.db");
  const pages = statSync(store).size / 4096;
  const handle = openSync(store, "r+");
  // The last pages contain rows, not the schema.
  writeSync(handle, Buffer.alloc(4096, 0xff), 0, 4096, (pages - 2) * 4096);
  closeSync(handle);
  const ill = await bench.open(config);
  const health = await ill.health.healthDetails({});
  expect(health).toMatchObject({ status: HealthStatus.NOT_SERVING, store: { state: "corrupt" } });
  expect(health.store?.message).toContain("restore a backup");
  await expect(ill.sessions.sendPrompt({ sessionId, text: "1" })).rejects.toMatchObject({
    code: Code.Unavailable,
    rawMessage: expect.stringContaining("STORE_UNAVAILABLE"),
  });
  await ill.running.stop();
  const { restoreStore } = await import("../../src/store/sqlite/restore.ts");
  await restoreStore(join(bench.folder, "state"), backup, new Date());
  const well = await bench.open(config);
  expect((await well.sessions.getSession({ sessionId })).session?.usage?.costUsd).toBeCloseTo(0.3);
  expect((await well.turn(sessionId, "0.1")).cases).toContain("turnComplete");
  expect(readFileSync(store).length).toBeGreaterThan(0);
}, 60_000);
