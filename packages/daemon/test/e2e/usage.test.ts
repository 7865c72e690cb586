import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Event, SessionStatus, UsageGrouping } from "@agentwire/api";
import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { openBench, payingAgent, type Talk } from "./daemon-bench.ts";

const rowsBy = async ({ usage }: Talk, by: UsageGrouping) =>
  (await usage.listUsage({ by })).rows.map(({ key, usage: used }) => [key, used?.costUsd, used?.inputTokens]);

const BUDGETS = { sessionUsd: undefined, dayUsd: undefined, warnAt: 0.8 };

test("costs are counted by turn, session, model and day, across processes and daemons", async () => {
  const bench = openBench();
  const config = { agents: [payingAgent(bench)] };
  const first = await bench.open(config);
  const id = await first.create();
  const [report] = (await first.turn(id, "0.5")).of("usageReport");
  expect(report).toMatchObject({ turn: { costUsd: 0.5, inputTokens: 100n }, session: { costUsd: 0.5 } });
  const [again] = (await first.turn(id, "0.25")).of("usageReport");
  expect(again?.turn).toMatchObject({ costUsd: 0.25, inputTokens: 100n });
  expect(again?.models).toMatchObject([{ model: "dear", usage: { costUsd: 0.25 } }]);
  await first.running.stop();

  const second = await bench.open(config);
  const [anew] = (await second.turn(id, "1")).of("usageReport");
  expect(anew).toMatchObject({ turn: { costUsd: 1 }, session: { costUsd: 1.75, inputTokens: 300n } });
  expect((await second.sessions.getSession({ sessionId: id })).session?.usage).toMatchObject({
    costUsd: 1.75,
  });
  const other = await second.create();
  await second.turn(other, "2");
  const today = new Date().toISOString().slice(0, 10);
  expect(await rowsBy(second, UsageGrouping.DAY)).toEqual([[today, 3.75, 400n]]);
  expect(await rowsBy(second, UsageGrouping.MODEL)).toEqual([["dear", 3.75, 400n]]);
  expect((await rowsBy(second, UsageGrouping.SESSION)).sort()).toEqual(
    [
      [id, 1.75, 300n],
      [other, 2, 100n],
    ].sort(),
  );
  await second.usage.bookUsage({ model: "shop/coder", usage: { inputTokens: 1000n, costUsd: 0.25 } });
  await second.usage.bookUsage({ model: "shop/other", usage: { inputTokens: 10n } });
  expect(await rowsBy(second, UsageGrouping.MODEL)).toEqual([
    ["dear", 3.75, 400n],
    ["shop/coder", 0.25, 1000n],
    ["shop/other", undefined, 10n],
  ]);
  const booked = await second.usage.listUsage({ sessionId: "gateway" });
  expect(booked.rows).toMatchObject([{ key: today, usage: { costUsd: 0.25, costIncomplete: true } }]);
  expect((await second.usage.getBudget({})).budget?.spentUsd).toBe(4);
  await expect(second.usage.bookUsage({ model: "" })).rejects.toMatchObject({ code: Code.InvalidArgument });

  const page = await second.usage.listUsage({ by: UsageGrouping.SESSION, pageSize: 1 });
  const rest = await second.usage.listUsage({
    by: UsageGrouping.SESSION,
    pageSize: 2,
    pageToken: page.nextPageToken,
  });
  expect([...page.rows, ...rest.rows].map(({ key }) => key).sort()).toEqual([id, other, "gateway"].sort());
  expect(rest.nextPageToken).toBe("");
  await expect(second.usage.listUsage({ fromDay: "yesterday" })).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
}, 60_000);

test("a budget warns, then blocks new turns, and allows them again when it is raised", async () => {
  const bench = openBench();
  const config = { agents: [payingAgent(bench)], budgets: { ...BUDGETS, sessionUsd: 1 } };
  const talk = await bench.open(config);
  const sessionId = await talk.create();
  expect((await talk.turn(sessionId, "0.5")).of("budgetNotice")).toEqual([]);
  expect((await talk.turn(sessionId, "0.4")).of("budgetNotice")).toMatchObject([
    { scope: "session", stopped: false, limitUsd: 1 },
  ]);
  expect((await talk.turn(sessionId, "0.3")).of("budgetNotice")).toMatchObject([
    { scope: "session", stopped: true, limitUsd: 1 },
  ]);
  await expect(talk.sessions.sendPrompt({ sessionId, text: "0.1" })).rejects.toMatchObject({
    code: Code.ResourceExhausted,
    rawMessage: expect.stringContaining(
      "BUDGET_EXHAUSTED: the budget of this session is spent: $1.20 of $1.00",
    ),
  });
  // Each session has its own budget.
  expect((await talk.turn(await talk.create(), "0.1")).cases).toContain("turnComplete");
  expect((await talk.usage.getBudget({ sessionId })).budget).toMatchObject({ stopped: true, limitUsd: 1 });
  await expect(talk.usage.setBudget({ sessionId, limitUsd: -1 })).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
  expect((await talk.usage.setBudget({ sessionId, limitUsd: 2 })).budget).toMatchObject({ stopped: false });
  expect((await talk.turn(sessionId, "0.1")).cases).toContain("turnComplete");
  await talk.running.stop();
  const next = await bench.open(config);
  expect((await next.usage.getBudget({ sessionId })).budget).toMatchObject({ limitUsd: 2 });
  expect((await next.usage.setBudget({ sessionId })).budget).toMatchObject({ limitUsd: 1, stopped: true });
}, 60_000);

test("prompts that wait because the day's budget is spent continue when it is raised", async () => {
  const bench = openBench();
  const talk = await bench.open({
    agents: [payingAgent(bench)],
    maxProcesses: 1,
    budgets: { ...BUDGETS, dayUsd: 1 },
  });
  const rich = await talk.create();
  const poor = await talk.create();
  await talk.sessions.sendPrompt({ sessionId: rich, text: "wait 2" });
  const { seq } = await talk.sessions.sendPrompt({ sessionId: poor, text: "0.1" });
  writeFileSync(join(bench.project, "wait"), "");
  const seen: Event[] = [];
  for await (const page of talk.sessions.watch({ sessionId: poor, afterSeq: seq })) {
    seen.push(...page.events);
    if (seen.some(({ body }) => body.case === "budgetNotice")) break;
  }
  expect(seen.at(-1)?.body.value).toMatchObject({ scope: "day", stopped: true, limitUsd: 1, spentUsd: 2 });
  expect((await talk.sessions.getSession({ sessionId: poor })).session?.status).toBe(SessionStatus.WAITING);
  await talk.usage.setBudget({ limitUsd: 10 });
  for await (const page of talk.sessions.watch({ sessionId: poor, afterSeq: seq }))
    if (page.events.some(({ body }) => body.case === "turnComplete")) break;
}, 60_000);

test("a running daemon applies new settings and lists those that need a restart", async () => {
  const bench = openBench();
  const talk = await bench.open({ agents: [payingAgent(bench)], budgets: { ...BUDGETS, dayUsd: 0 } });
  const { daemon } = talk.running;
  const sessionId = await talk.create();
  await expect(talk.sessions.sendPrompt({ sessionId, text: "1" })).rejects.toThrow("BUDGET_EXHAUSTED");
  const news = daemon.reload({
    ...daemon.config,
    maxProcesses: 7,
    maxPayloadBytes: 70_000,
    agents: [],
    budgets: BUDGETS,
  });
  expect(news).toMatchObject({
    changed: ["daemon.max_processes: 20 → 7", "budgets.day_usd: 0 → unset"],
    needRestart: ["daemon.max_payload_bytes", "agents"],
  });
  expect((await talk.health.healthDetails({})).processes?.limit).toBe(7);
  expect((await talk.turn(sessionId, "1")).cases).toContain("turnComplete");
}, 60_000);
