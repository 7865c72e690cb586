import { CompatibilityLevel, type Event, PromptState } from "@agentwire/api";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openBench, scriptedAgent, type Talk } from "./daemon-bench.ts";

const SESSION = "3f0b7f4a-8f5e-4bb0-9a1c-0a7d7f3b2c11";
const HEAR_PROMPT = { hear: { type: "user" } };
const say = (line: JsonObject) => ({ say: line });

/** Lines of the documented 1.x wire. */
const init = say({
  type: "system",
  subtype: "init",
  session_id: SESSION,
  tools: [
    {
      name: "Bash",
      description: "Execute a bash command",
      input_schema: { type: "object", properties: { command: { type: "string" } } },
    },
    { name: "Read", description: "Read a file", input_schema: { type: "object" } },
  ],
  model: "claude-sonnet-4-20250514",
  cwd: "/home/user/project",
});
const assistant = (content: readonly JsonObject[], stop_reason: string) =>
  say({
    type: "assistant",
    message: { role: "assistant", content, stop_reason, usage: { input_tokens: 1250, output_tokens: 87 } },
  });
const delta = (text: string) =>
  say({
    type: "stream_event",
    event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
  });
const ask = (request_id: string, tool_name: string, input: JsonObject) =>
  say({ type: "control_request", request_id, request: { subtype: "can_use_tool", tool_name, input } });
const toolUse = (id: string, name: string, input: JsonObject) => ({ type: "tool_use", id, name, input });
const toolResult = (tool_use_id: string, content: string) =>
  say({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id, content }] },
  });
const result = (more: JsonObject = {}) =>
  say({
    type: "result",
    subtype: "success",
    session_id: SESSION,
    duration_ms: 45200,
    total_cost_usd: 0.0847,
    usage: {
      input_tokens: 15400,
      output_tokens: 3200,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 12000,
    },
    ...more,
  });

const QUESTIONS = [{ question: "Which database?", options: ["PostgreSQL", "SQLite"], multi_select: false }];

const CONVERSATION = [
  HEAR_PROMPT,
  init,
  delta("I'll read"),
  delta(" the file for you."),
  assistant(
    [
      { type: "text", text: "I'll read the file for you." },
      toolUse("toolu_01ABC", "Read", { file_path: "/home/user/project/src/main.rs" }),
    ],
    "tool_use",
  ),
  toolResult("toolu_01ABC", "     1\tuse std::io;\n"),
  assistant([toolUse("toolu_02", "Bash", { command: "cargo build --release" })], "tool_use"),
  // Both are open at once and told apart by their ids.
  ask("req_001", "Bash", { command: "cargo build --release" }),
  ask("req_002", "AskUserQuestion", { questions: QUESTIONS }),
  {
    hear: {
      type: "control_response",
      response: {
        request_id: "req_002",
        response: {
          behavior: "allow",
          updatedInput: { questions: QUESTIONS, answers: { "Which database?": "SQLite" } },
        },
      },
    },
  },
  {
    hear: {
      type: "control_response",
      response: {
        subtype: "success",
        request_id: "req_001",
        response: { behavior: "allow", updatedInput: { command: "cargo build --release" } },
      },
    },
  },
  toolResult("toolu_02", "Finished release"),
  assistant([{ type: "text", text: "It is built." }], "end_turn"),
  result(),
  { hear: { type: "user", message: { role: "user", content: "Now run the tests please." } } },
  assistant([toolUse("toolu_03", "Bash", { command: "cargo test" })], "tool_use"),
  ask("req_003", "Bash", { command: "cargo test" }),
  {
    hear: {
      type: "control_response",
      response: {
        request_id: "req_003",
        response: { behavior: "deny", message: "User denied permission." },
      },
    },
  },
  result({
    subtype: "error",
    error: "Rate limit exceeded",
    usage: { input_tokens: "12", output_tokens: null },
  }),
];

/** Answers every question. */
const answering =
  ({ questions }: Talk, deny = false) =>
  async ({ body }: Event) => {
    if (body.case === "permissionAsked")
      await questions.decide({
        questionId: body.value.question?.id ?? "",
        decision: deny
          ? { case: "deny", value: { message: "User denied permission." } }
          : { case: "allow", value: {} },
      });
    if (body.case === "questionAsked")
      await questions.answer({
        questionId: body.value.question?.id ?? "",
        answers: { "Which database?": "SQLite" },
      });
  };

describe.each([
  ["1.0", "claude v1.0.128 (anthropic-2024-12-01)", 0],
  // Clients receive a deprecation event for each request in the old form.
  ["1.1", "claude v1.1.5 (anthropic-2025-06-01)", 1],
])("an agent that speaks %s as documented", (_, version, deprecations) => {
  test("holds a conversation with deltas, tools, questions, an error and a second prompt", async () => {
    const bench = openBench();
    const talk = await bench.open({ agents: [scriptedAgent(bench, version, CONVERSATION)] });
    const id = await talk.create();
    const first = await talk.turn(id, "Read the file", answering(talk));

    const [info] = first.of("sessionInfo");
    expect(info).toMatchObject({
      agentSessionId: SESSION,
      model: "claude-sonnet-4-20250514",
      tools: ["Bash", "Read"],
    });
    expect(first.of("textDelta").map(({ text }) => text)).toEqual(["I'll read", " the file for you."]);
    expect(first.of("text").map(({ text }) => text)).toEqual(["I'll read the file for you.", "It is built."]);
    expect(first.of("toolCallResult").map(({ text }) => text)).toEqual([
      "     1\tuse std::io;\n",
      "Finished release",
    ]);
    expect(
      first.of("questionAsked")[0]?.question?.userQuestions[0]?.options.map(({ label }) => label),
    ).toEqual(["PostgreSQL", "SQLite"]);
    expect(first.of("usageReport")[0]?.turn).toMatchObject({
      inputTokens: 15400n,
      outputTokens: 3200n,
      cacheReadInputTokens: 12000n,
    });
    expect(first.of("turnComplete")).toMatchObject([{ isError: false, durationMs: 45200n }]);
    expect(first.of("deprecation")).toHaveLength(deprecations);
    expect(first.of("promptChange").at(-1)?.state).toBe(PromptState.COMPLETED);

    const second = await talk.turn(id, "Now run the tests please.", answering(talk, true));
    expect(second.of("turnComplete")).toMatchObject([{ isError: true, errors: ["Rate limit exceeded"] }]);
    // A field that can't be read does not affect the others.
    expect(second.of("usageReport")[0]?.turn).toMatchObject({ inputTokens: 12n, outputTokens: 0n });

    const { claudeCode, agents } = await talk.health.healthDetails({});
    expect(claudeCode).toMatchObject({
      level: CompatibilityLevel.FULLY_COMPATIBLE,
      apiVersion: /\((.*)\)/.exec(version)?.[1],
    });
    expect(agents[0]?.dialect).toBe("claude-v1");
  }, 60_000);

  test("has messages of unknown types logged and skipped", async () => {
    const bench = openBench();
    const steps = [HEAR_PROMPT, init, say({ type: "tomorrow", text: "news" }), result()];
    const talk = await bench.open({ agents: [scriptedAgent(bench, version, steps)] });
    const turn = await talk.turn(await talk.create(), "hello");
    expect(turn.of("rawMessage")).toEqual([]);
    expect(bench.logged).toContainEqual(expect.stringContaining("unknown type 'tomorrow'"));
    expect((await talk.health.healthDetails({})).degradation?.unknownTypes).toEqual(["tomorrow"]);
  }, 60_000);
});
