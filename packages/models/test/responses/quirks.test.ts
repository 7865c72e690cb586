import { describe, expect, test } from "vitest";
import type { ModelError } from "../../src/model-error.ts";
import { ask, type Folded, prompt, providerAt, serve, stream } from "../serve.ts";

type Event = { readonly type: string } & Record<string, unknown>;

const write = (event: Event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const created: Event = { type: "response.created", response: { id: "resp_1", status: "in_progress" } };
const added = (output_index: number, item: object): Event => ({
  type: "response.output_item.added",
  output_index,
  item,
});
const done = (output_index: number, item: object): Event => ({
  type: "response.output_item.done",
  output_index,
  item,
});
const text = (output_index: number, delta: string): Event => ({
  type: "response.output_text.delta",
  output_index,
  delta,
});
const args = (output_index: number, delta: string): Event => ({
  type: "response.function_call_arguments.delta",
  output_index,
  delta,
});
const call = (name: string, call_id: string, all = ""): object => ({
  type: "function_call",
  id: `fc_${call_id}`,
  call_id,
  name,
  arguments: all,
});
const message = (said: string): object => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text: said }],
});
const completed = (more: object = {}): Event => ({
  type: "response.completed",
  response: { id: "resp_1", status: "completed", ...more },
});
const summary = (output_index: number, delta: string): Event => ({
  type: "response.reasoning_summary_text.delta",
  output_index,
  delta,
});
const part = (output_index: number): Event => ({
  type: "response.reasoning_summary_part.added",
  output_index,
});

async function replyTo(...events: readonly Event[]): Promise<Folded> {
  const { baseUrl } = await serve((response) => stream(response, events.map(write)));
  return ask(providerAt(baseUrl, { wire: "responses" }));
}

async function failureOf(...events: readonly Event[]): Promise<ModelError> {
  return replyTo(...events).then(
    () => Promise.reject(new Error("the reply is whole")),
    (error) => error,
  );
}

const says = (said: string) => ({ type: "text", text: said });
const uses = (name: string, id: string, input: unknown) => ({ type: "tool_use", id, name, input });
const thinks = (thinking: string) => ({
  type: "thinking",
  thinking,
  signature: expect.stringMatching(/^agentwire\./),
});

describe("a reply can contain", () => {
  test.each<[string, readonly Event[], readonly object[]]>([
    [
      "text in pieces",
      [created, added(0, message("")), text(0, "hel"), text(0, "lo"), done(0, message("hello")), completed()],
      [says("hello")],
    ],
    ["text that was not streamed", [created, done(0, message("hello")), completed()], [says("hello")]],
    [
      "a call with streamed arguments",
      [
        created,
        added(0, call("Bash", "a")),
        args(0, '{"command"'),
        args(0, ':"ls"}'),
        done(0, call("Bash", "a", '{"command":"ls"}')),
        completed(),
      ],
      [uses("Bash", "a", { command: "ls" })],
    ],
    [
      "a call that is not streamed",
      [created, added(0, call("Bash", "a")), done(0, call("Bash", "a", '{"command":"ls"}')), completed()],
      [uses("Bash", "a", { command: "ls" })],
    ],
    [
      "two parallel calls",
      [
        created,
        added(0, call("A", "a")),
        args(0, '{"x":1}'),
        done(0, call("A", "a", '{"x":1}')),
        added(1, call("B", "b")),
        args(1, '{"y":2}'),
        done(1, call("B", "b", '{"y":2}')),
        completed(),
      ],
      [uses("A", "a", { x: 1 }), uses("B", "b", { y: 2 })],
    ],
    [
      "a text between two calls",
      [
        created,
        added(0, call("A", "a")),
        args(0, "{}"),
        added(1, message("")),
        text(1, "so"),
        added(2, call("B", "b")),
        args(2, "{}"),
        completed(),
      ],
      [uses("A", "a", {}), says("so"), uses("B", "b", {})],
    ],
    [
      "a summary of its reasoning, in parts",
      [
        created,
        added(0, { type: "reasoning", id: "rs_1", summary: [] }),
        part(0),
        summary(0, "one"),
        part(0),
        summary(0, "two"),
        done(0, { type: "reasoning", id: "rs_1", encrypted_content: "secret" }),
        done(1, message("yes")),
        completed(),
      ],
      [thinks("one\n\ntwo"), says("yes")],
    ],
    [
      "encrypted reasoning",
      [
        created,
        added(0, { type: "reasoning" }),
        done(0, { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "secret" }),
        done(1, message("yes")),
        completed(),
      ],
      [{ type: "redacted_thinking", data: expect.stringMatching(/^agentwire\./) }, says("yes")],
    ],
    [
      "reasoning without any content",
      [
        created,
        done(0, { type: "reasoning", id: "rs_1", summary: [] }),
        done(1, message("yes")),
        completed(),
      ],
      [says("yes")],
    ],
    [
      "full reasoning, as open models send it",
      [
        created,
        { type: "response.reasoning_text.delta", output_index: 0, delta: "so" },
        done(0, { type: "reasoning", id: "rs_1" }),
        done(1, message("yes")),
        completed(),
      ],
      [thinks("so"), says("yes")],
    ],
    [
      "unknown events",
      [
        created,
        { type: "response.output_text.annotation.added" },
        { type: "response.web_search_call.searching" },
        text(0, "hello"),
        { type: "keepalive" },
        completed(),
      ],
      [says("hello")],
    ],
    [
      "unknown items",
      [created, done(0, { type: "image_generation_call" }), text(1, "hello"), completed()],
      [says("hello")],
    ],
  ])("%s", async (_what, events, content) => {
    expect((await replyTo(...events)).content).toEqual(content);
  });

  test("all of its items at once, from a server that does not stream", async () => {
    const { baseUrl } = await serve((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const output = [
        {
          type: "reasoning",
          id: "rs_1",
          summary: [{ type: "summary_text", text: "so" }],
          encrypted_content: "x",
        },
        message("yes"),
        call("A", "a", "{}"),
      ];
      response.end(
        JSON.stringify({
          object: "response",
          status: "completed",
          output,
          usage: { input_tokens: 3, output_tokens: 2 },
        }),
      );
    });
    const reply = await ask(providerAt(baseUrl, { wire: "responses" }));
    expect(reply.content).toEqual([thinks("so"), says("yes"), uses("A", "a", {})]);
    expect(reply.usage).toMatchObject({ input_tokens: 3, output_tokens: 2 });
  });
});

test.each<[string, Event, string]>([
  ["completed", completed(), "end_turn"],
  [
    "out of tokens",
    {
      type: "response.incomplete",
      response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
    },
    "max_tokens",
  ],
  [
    "stopped by a filter",
    {
      type: "response.incomplete",
      response: { status: "incomplete", incomplete_details: { reason: "content_filter" } },
    },
    "refusal",
  ],
])("a reply that is %s has the corresponding stop reason", async (_what, end, reason) => {
  expect((await replyTo(created, text(0, "x"), end)).stopReason).toBe(reason);
});

test("a refusal has its own stop reason, and its text is passed on", async () => {
  const reply = await replyTo(
    created,
    { type: "response.refusal.delta", output_index: 0, delta: "No." },
    completed(),
  );
  expect(reply.content).toEqual([says("No.")]);
  expect(reply.stopReason).toBe("refusal");
});

test("usage lists cached and reasoning tokens separately", async () => {
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 60 },
    output_tokens: 50,
    output_tokens_details: { reasoning_tokens: 30 },
    total_tokens: 150,
  };
  expect((await replyTo(created, text(0, "x"), completed({ usage }))).usage).toMatchObject({
    input_tokens: 40,
    cache_read_input_tokens: 60,
    output_tokens: 50,
    output_tokens_details: { thinking_tokens: 30 },
  });
});

test.each<[string, Event, object]>([
  [
    "an event",
    { type: "error", code: "rate_limit_exceeded", message: "Rate limit reached. Please try again in 2s." },
    { status: 429, retryAfterMs: 2000 },
  ],
  [
    "a failed response",
    {
      type: "response.failed",
      response: { status: "failed", error: { code: "server_error", message: "boom" } },
    },
    { status: 500, message: "boom" },
  ],
  [
    "a failed response without a reason",
    { type: "response.failed", response: { status: "failed" } },
    { status: 500 },
  ],
  [
    "a context that is too long",
    {
      type: "response.failed",
      response: {
        status: "failed",
        error: { code: "context_length_exceeded", message: "Your input exceeds" },
      },
    },
    { status: 400, message: /^prompt is too long/ },
  ],
])("%s is a failure", async (_what, event, { message: said, ...expected }: { message?: string | RegExp }) => {
  const failure = await failureOf(created, event);
  expect(failure).toMatchObject(expected);
  if (said !== undefined) expect(failure.message).toMatch(said);
});

test("a stream without an end event counts as cut off", async () => {
  expect(await failureOf(created, text(0, "hel"))).toMatchObject({ status: null, type: "stream_cut" });
});

test("the model's reasoning is sent back unchanged, including its encrypted part", async () => {
  const reasoning = { type: "reasoning", id: "rs_1", encrypted_content: "gAAAA" };
  const { baseUrl, requests } = await serve((response) =>
    stream(
      response,
      [
        created,
        added(0, reasoning),
        part(0),
        summary(0, "one"),
        part(0),
        summary(0, "two"),
        done(0, reasoning),
        added(1, call("Bash", "a")),
        args(1, "{}"),
        completed(),
      ].map(write),
    ),
  );
  const provider = providerAt(baseUrl, { wire: "responses" });
  const first = await ask(provider);
  await ask(
    provider,
    prompt("hi", {
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: first.content },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "ok" }] },
      ],
    }),
  );
  expect(requests[1]?.body.input).toEqual([
    { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
    {
      type: "reasoning",
      id: "rs_1",
      summary: [
        { type: "summary_text", text: "one" },
        { type: "summary_text", text: "two" },
      ],
      encrypted_content: "gAAAA",
    },
    { type: "function_call", call_id: "a", name: "Bash", arguments: "{}" },
    { type: "function_call_output", call_id: "a", output: "ok" },
  ]);
  expect(requests[1]?.body).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
  expect(requests[1]?.path).toBe("/v1/responses");
});
