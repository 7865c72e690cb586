import { HealthStatus } from "@agentwire/api";
import type { JsonObject } from "@agentwire/protocol";
import { expect, test } from "vitest";
import { openBench, scriptedAgent } from "./daemon-bench.ts";

const say = (line: JsonObject) => ({ say: line });
const ID = "3f0b7f4a-8f5e-4bb0-9a1c-0a7d7f3b2c11";
const INIT = say({ type: "system", subtype: "init", session_id: ID, tools: ["Bash"], model: "m", cwd: "/" });
const RESULT = { type: "result", subtype: "success", is_error: false, result: "ok", session_id: ID };
const toolResult = (content: string) =>
  say({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content }] },
  });
const text = (content: string) =>
  say({
    type: "assistant",
    message: { id: "m1", role: "assistant", content: [{ type: "text", text: content }] },
  });

const LIMIT = 100_000;
const VERSION = "2.1.325 (Claude Code)";

test("the longest texts of a message over the limit are truncated, and the rest of it is kept", async () => {
  const bench = openBench();
  const steps = [
    { hear: { type: "user" } },
    INIT,
    toolResult("é".repeat(100_000)),
    text("short"),
    say(RESULT),
  ];
  const agents = [scriptedAgent(bench, VERSION, steps)];
  const talk = await bench.open({ agents, maxPayloadBytes: LIMIT });
  const id = await talk.create();
  const turn = await talk.turn(id, "hello");
  const [result] = turn.of("toolCallResult");
  expect(result?.toolUseId).toBe("t1");
  expect(result?.text).toMatch(/^é+\[truncated: original_size=200\d\d\d bytes\]$/);
  expect(Buffer.byteLength(result?.text ?? "")).toBeLessThan(LIMIT);
  expect(turn.of("text").map((said) => said.text)).toEqual(["short"]);
  expect(bench.logged).toContainEqual(
    expect.stringMatching(/^warn: a message of the type user of 200\d\d\d bytes was truncated/),
  );
  const { degradation, status } = await talk.health.healthDetails({});
  expect(degradation?.truncatedLines).toBe(1n);
  expect(status).toBe(HealthStatus.SERVING);
  const { lines } = await talk.sessions.listRawLines({ sessionId: id });
  for (const { line } of lines) expect(JSON.parse(line)).toHaveProperty("type");
  expect(Math.max(...lines.map(({ line }) => Buffer.byteLength(line)))).toBeLessThanOrEqual(65_536);
}, 60_000);

test("a line over the read limit becomes an error event, and the turn continues", async () => {
  const bench = openBench();
  const steps = [
    { hear: { type: "user" } },
    INIT,
    text("before"),
    toolResult("x".repeat(5 * LIMIT)),
    text("after"),
    say(RESULT),
  ];
  const talk = await bench.open({ agents: [scriptedAgent(bench, VERSION, steps)], maxPayloadBytes: LIMIT });
  const turn = await talk.turn(await talk.create(), "hello");
  expect(turn.of("error")).toMatchObject([
    {
      code: "line_too_long",
      fatal: false,
      message: expect.stringMatching(/\[truncated: original_size=5001\d\d bytes\]$/),
    },
  ]);
  expect(turn.cases.filter((name) => ["text", "error", "turnComplete"].includes(name))).toEqual([
    "text",
    "error",
    "text",
    "turnComplete",
  ]);
  expect((await talk.health.healthDetails({})).degradation?.truncatedLines).toBe(1n);
}, 60_000);

test("a result with nothing to truncate still ends the turn", async () => {
  const bench = openBench();
  const errors = Array.from({ length: 40_000 }, (_, i) => `e${i}`);
  const steps = [
    { hear: { type: "user" } },
    INIT,
    say({ ...RESULT, subtype: "error_during_execution", is_error: true, errors }),
  ];
  const talk = await bench.open({ agents: [scriptedAgent(bench, VERSION, steps)], maxPayloadBytes: LIMIT });
  const turn = await talk.turn(await talk.create(), "hello");
  expect(turn.of("error")).toMatchObject([{ code: "line_too_long" }]);
  expect(turn.of("turnComplete")).toMatchObject([{ isError: true, errors: [] }]);
}, 60_000);

test("a question over the limit is shown truncated, and allowing it allows the full input", async () => {
  const bench = openBench();
  const input = { command: `echo ${"y".repeat(2 * LIMIT)}` };
  const request = { subtype: "can_use_tool", tool_name: "Bash", tool_use_id: "t1", input };
  const answer = { request_id: "q1", response: { behavior: "allow", updatedInput: input } };
  const steps = [
    { hear: { type: "user" } },
    INIT,
    say({ type: "control_request", request_id: "q1", request }),
    { hear: { type: "control_response", response: answer } },
    say(RESULT),
  ];
  const talk = await bench.open({ agents: [scriptedAgent(bench, VERSION, steps)], maxPayloadBytes: LIMIT });
  const turn = await talk.turn(await talk.create(), "hello", ({ body }) => {
    if (body.case !== "permissionAsked") return undefined;
    const questionId = body.value.question?.id ?? "";
    return talk.questions.decide({ questionId, decision: { case: "allow", value: {} } }).then(() => {});
  });
  const [asked] = turn.of("permissionAsked");
  const shown = JSON.parse(asked?.question?.inputJson ?? "") as { readonly command: string };
  expect(shown.command).toMatch(/^echo y+\[truncated: original_size=\d+ bytes\]$/);
  expect(turn.of("turnComplete")).toHaveLength(1);
}, 60_000);

test("lines over 10 MB are stored up to the limit and reach late clients, and the turn continues", async () => {
  const bench = openBench();
  const steps = [
    { hear: { type: "user" } },
    INIT,
    text("before"),
    toolResult("x".repeat(12_000_000)),
    toolResult("y".repeat(45_000_000)),
    text("after"),
    say(RESULT),
  ];
  const talk = await bench.open({ agents: [scriptedAgent(bench, VERSION, steps)] });
  const id = await talk.create();
  const turn = await talk.turn(id, "hello");
  const [result] = turn.of("toolCallResult");
  expect(result?.text.length).toBeGreaterThan(10_000_000);
  expect(result?.text.slice(-60)).toMatch(/^x+\[truncated: original_size=12000\d\d\d bytes\]$/);
  expect(turn.of("error")).toMatchObject([
    { code: "line_too_long", message: expect.stringMatching(/original_size=45000\d\d\d bytes/) },
  ]);
  expect(turn.of("text").map((said) => said.text)).toEqual(["before", "after"]);
  const late: string[] = [];
  for await (const { events, caughtUp } of talk.sessions.watch({ sessionId: id })) {
    for (const { body } of events) if (body.case === "toolCallResult") late.push(body.value.text);
    if (caughtUp) break;
  }
  expect(late.map((said) => said === result?.text)).toEqual([true]);
}, 60_000);
