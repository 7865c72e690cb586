import { Disposition } from "@agentwire/api";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openBench, scriptedAgent, type Talk, type Turn } from "./daemon-bench.ts";

const ID = "3f0b7f4a-8f5e-4bb0-9a1c-0a7d7f3b2c11";
const TESTED = "2.1.325 (Claude Code)";
const UNTESTED = "2.9.0 (Claude Code)";
const say = (line: JsonObject) => ({ say: line });
const INIT = { type: "system", subtype: "init", session_id: ID, tools: ["Bash"], model: "m", cwd: "/" };
const RESULT = say({ type: "result", subtype: "success", is_error: false, result: "ok", session_id: ID });
const HEAR_PROMPT = { hear: { type: "user" } };
const stream = (event: JsonObject) => say({ type: "stream_event", event, session_id: ID });
const textDelta = (text: string) =>
  stream({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
const messageStart = (id: string) =>
  stream({ type: "message_start", message: { id, role: "assistant", content: [], model: "m" } });
const assistant = (content: readonly JsonObject[], more: JsonObject = {}) =>
  say({ type: "assistant", session_id: ID, message: { role: "assistant", content, ...more } });

/** One turn of an agent that plays these steps after its prompt. */
async function play(steps: readonly JsonObject[], version = TESTED) {
  const bench = openBench();
  const talk = await bench.open({ agents: [scriptedAgent(bench, version, [HEAR_PROMPT, ...steps])] });
  const id = await talk.create();
  const turn = await talk.turn(id, "hello");
  return { bench, talk, id, turn, lines: await rawLines(talk, id) };
}

async function rawLines({ sessions }: Talk, sessionId: string): Promise<readonly string[]> {
  const all: string[] = [];
  for (let fromSeq = 0n; ; ) {
    const { lines, more } = await sessions.listRawLines({ sessionId, fromSeq });
    all.push(...lines.map(({ line }) => line));
    fromSeq = lines.at(-1)?.seq ?? fromSeq;
    if (!more) return all;
  }
}

const malformed = (turn: Turn) => turn.of("rawMessage").filter(({ type }) => type === "malformed");

describe("an unreadable line", () => {
  const BAD = { type: "assistant", message: "not an object", session_id: ID };

  test("is kept and passed to clients from an untested version", async () => {
    const { turn, lines } = await play([say(INIT), say(BAD), RESULT], UNTESTED);
    expect(malformed(turn)).toMatchObject([{ subtype: "unreadable" }]);
    expect(JSON.parse(malformed(turn)[0]?.json ?? "")).toEqual({
      reason: expect.stringContaining("the assistant message can't be read"),
      line: JSON.stringify(BAD),
    });
    expect(lines).toContain(JSON.stringify(BAD));
    expect(turn.of("turnComplete")).toHaveLength(1);
  }, 60_000);

  test("is kept alongside the failure it causes from a tested version", async () => {
    const { turn, lines } = await play([say(INIT), say(BAD), RESULT]);
    expect(turn.cases.filter((name) => ["rawMessage", "error"].includes(name))).toEqual([
      "rawMessage",
      "error",
    ]);
    expect(turn.of("error")).toMatchObject([{ code: "unreadable_message", fatal: true }]);
    expect(lines).toContain(JSON.stringify(BAD));
  }, 60_000);

  test("is kept if it is not JSON, truncated if it is long, and only counted after the first hundred", async () => {
    const noise = Array.from({ length: 150 }, (_, i) => ({ write: `warning ${i} ${"n".repeat(9000)}\n` }));
    const { turn, lines, bench } = await play([say(INIT), ...noise, RESULT]);
    const kept = malformed(turn);
    expect(kept).toHaveLength(101);
    expect(JSON.parse(kept[0]?.json ?? "").line).toMatch(
      /^warning 0 n+\[truncated: original_size=9010 bytes\]$/,
    );
    expect(JSON.parse(kept[100]?.json ?? "").reason).toBe(
      "further unreadable lines are counted but not stored until the agent is restarted",
    );
    expect(lines.filter((line) => line.startsWith("warning"))).toHaveLength(100);
    expect(bench.logged).toContainEqual(expect.stringContaining("a line that is not a message"));
  }, 60_000);
});

describe("an init message", () => {
  test("with tools as objects yields their names, descriptions and schemas", async () => {
    const tools = [
      { name: "Bash", description: "Run a command", input_schema: { type: "object" } },
      { name: "Read", description: "Read a file" },
    ];
    const { turn, talk } = await play([say({ ...INIT, tools }), RESULT]);
    expect(turn.of("sessionInfo")).toMatchObject([
      {
        tools: ["Bash", "Read"],
        toolDefinitions: [
          { name: "Bash", description: "Run a command", inputSchemaJson: '{"type":"object"}' },
          { name: "Read", description: "Read a file", inputSchemaJson: "" },
        ],
      },
    ]);
    expect((await talk.health.healthDetails({})).degradation?.missingFeatures).toEqual([]);
  }, 60_000);
});

describe("a streamed reply", () => {
  test("names the tool call that each input delta belongs to", async () => {
    const block = { type: "tool_use", id: "toolu_1", name: "Bash", input: {} };
    const { turn } = await play([
      say(INIT),
      messageStart("m1"),
      stream({ type: "content_block_start", index: 0, content_block: block }),
      stream({
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: '{"comm' },
      }),
      RESULT,
    ]);
    expect(turn.of("toolInputDelta")).toMatchObject([
      { toolUseId: "toolu_1", name: "Bash", partialJson: '{"comm' },
    ]);
  }, 60_000);

  test.each([
    ["without an id replaces its deltas", [messageStart("m1")], {}],
    ["replaces deltas that had no id", [], { id: "m1" }],
  ])(
    "that is finished %s",
    async (_, start, more) => {
      const { turn, talk, id } = await play([
        say(INIT),
        ...start,
        textDelta("He"),
        textDelta("llo"),
        assistant([{ type: "text", text: "Hello" }], more),
        RESULT,
      ]);
      const pieces = turn.events.filter(({ body }) => body.case === "textDelta");
      const reply = turn.events.find(({ body }) => body.case === "text");
      expect(reply?.supersedesFrom).toBe(pieces[0]?.seq);
      expect(
        new Set([...turn.of("textDelta"), ...turn.of("text")].map(({ messageId }) => messageId)).size,
      ).toBe(1);
      const { events } = await talk.sessions.listEvents({ sessionId: id });
      expect(events.filter(({ body }) => body.case === "textDelta")).toEqual([]);
    },
    60_000,
  );
});

test("a prompt names its session once the session id is known", async () => {
  const bench = openBench();
  const heard = { hear: { type: "user", session_id: ID } };
  const agents = [scriptedAgent(bench, TESTED, [HEAR_PROMPT, say(INIT), RESULT, heard, RESULT])];
  const talk = await bench.open({ agents });
  const id = await talk.create();
  await talk.turn(id, "first");
  expect((await talk.turn(id, "second")).of("turnComplete")).toHaveLength(1);
}, 60_000);

test("a byte order mark before the first line is ignored", async () => {
  const { turn } = await play([{ write: `\uFEFF${JSON.stringify(INIT)}\n` }, RESULT]);
  expect(turn.of("sessionInfo")).toHaveLength(1);
  expect(malformed(turn)).toEqual([]);
}, 60_000);

test("a rule's decision about a call without an id carries the id of its question", async () => {
  const bench = openBench();
  const request = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "rm x" } };
  const steps = [
    HEAR_PROMPT,
    say(INIT),
    say({ type: "control_request", request_id: "req_7", request }),
    { hear: { type: "control_response" } },
    RESULT,
  ];
  const talk = await bench.open({ agents: [scriptedAgent(bench, "1.0.128 (Claude Code)", steps)] });
  await talk.rules.setRule({ rule: "Bash(rm:*)", behavior: 3, scope: 3 });
  const turn = await talk.turn(await talk.create(), "hello");
  expect(turn.of("permissionDecided")).toMatchObject([
    { questionId: "req_7", disposition: Disposition.DENIED, decidedBy: "rule" },
  ]);
}, 60_000);

test("a message of exactly the size limit is stored whole; one byte more is truncated and its size noted", async () => {
  const LIMIT = 100_000;
  const sized = (bytes: number) => {
    const line = { type: "assistant", message: { id: `m${bytes}`, content: [{ type: "text", text: "" }] } };
    const text = "é".repeat((bytes - JSON.stringify(line).length) >> 1);
    const filled = { ...line, message: { ...line.message, content: [{ type: "text", text }] } };
    const left = bytes - Buffer.byteLength(JSON.stringify(filled));
    return say({
      ...filled,
      message: { ...filled.message, content: [{ type: "text", text: text + "x".repeat(left) }] },
    });
  };
  const bench = openBench();
  const steps = [HEAR_PROMPT, say(INIT), sized(LIMIT), sized(LIMIT + 1), RESULT];
  const talk = await bench.open({ agents: [scriptedAgent(bench, TESTED, steps)], maxPayloadBytes: LIMIT });
  const turn = await talk.turn(await talk.create(), "hello");
  const [whole, cut] = turn.of("text").map(({ text }) => text);
  expect(whole).not.toContain("truncated");
  expect(cut).toMatch(/\[truncated: original_size=100001 bytes\]$/);
}, 60_000);
