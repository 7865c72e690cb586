import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ModelError, startFold } from "@agentwire/models";
import { Unknown } from "@agentwire/protocol";
import type { ApiEvent } from "@agentwire/protocol/messages";
import { afterEach, describe, expect, test } from "vitest";
import { type AnthropicOptions, anthropicModel } from "../../src/model/anthropic.ts";
import type { ModelCall } from "../../src/model/model.ts";
import { type ApiOptions, type ScriptedApi, startScriptedApi } from "../scripted-api.ts";

const CALL: ModelCall = {
  model: "claude-opus-5-5",
  system: ["Be brief."],
  messages: [{ role: "user", content: "hi" }],
  tools: [{ name: "Bash", description: "Runs a command", input_schema: { type: "object" } }],
  maxTokens: 1000,
};

const never = () => new AbortController().signal;

let api: ScriptedApi | undefined;
afterEach(() => api?.close());

async function connectTo(options: ApiOptions, more: Partial<AnthropicOptions> = {}) {
  api = await startScriptedApi(options);
  return { api, model: anthropicModel({ baseUrl: api.url, apiKey: "key", ...more }) };
}

async function collect(events: AsyncIterable<ApiEvent>): Promise<ApiEvent[]> {
  const all: ApiEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail("it should have failed"),
    (error: unknown) => error,
  );
}

function messageOf(events: readonly ApiEvent[]) {
  const fold = startFold();
  for (const event of events) fold.push(event);
  return fold.message;
}

describe("a reply", () => {
  test("is returned as the events of the Messages API, without pings, with the provider's request id", async () => {
    const { model } = await connectTo({
      steps: [{ content: [{ type: "text", text: "Hello there", chunkSize: 6 }] }],
    });
    const reply = await model.call(CALL, never());
    expect(reply.requestId).toMatch(/^req_/);
    expect((await collect(reply.events)).map((event) => event.type)).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
  });

  test.each([1, 2, 3, 7, 1000])(
    "is complete even if the stream is split every %d bytes, within characters",
    async (splitBytes) => {
      const text = "héllo 🌍 – ✓ 漢字";
      const { model } = await connectTo({
        splitBytes,
        steps: [{ content: [{ type: "text", text, chunkSize: 3 }] }],
      });
      const { events } = await model.call(CALL, never());
      expect(messageOf(await collect(events)).content).toEqual([{ type: "text", text }]);
    },
  );

  test.each([
    "plain words",
    'a "quote", a \\ and a\ttab',
    "two\nlines",
    '"}}',
    "héllo 漢字 🌍",
    " leading and trailing ",
  ])("contains each text as it was sent: %j", async (text) => {
    const { model } = await connectTo({
      steps: [{ content: [{ type: "text", text, chunkSize: text.length }] }],
    });
    const deltas = (await collect((await model.call(CALL, never())).events)).filter(
      ({ type }) => type === "content_block_delta",
    );
    expect(deltas).toEqual([{ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }]);
  });

  test("keeps a block of an unknown type", async () => {
    const { model } = await connectTo({ steps: [{ content: [{ type: "hologram", depth: 3 }] }] });
    const [block] = messageOf(await collect((await model.call(CALL, never())).events)).content;
    expect(block).toBeInstanceOf(Unknown);
    expect(JSON.parse(JSON.stringify(block))).toEqual({ type: "hologram", depth: 3 });
  });

  test("leaves the connection open for the next call", async () => {
    const { api, model } = await connectTo({ steps: [{ text: "one" }, { text: "two" }, { text: "three" }] });
    for (let i = 0; i < 3; i++) await collect((await model.call(CALL, never())).events);
    expect(api.requests).toHaveLength(3);
    expect(api.connections()).toBe(1);
  });
});

describe("a request", () => {
  const sent = async (call: Partial<ModelCall>, options: Partial<AnthropicOptions> = {}) => {
    const { api, model } = await connectTo({ steps: [{ text: "ok" }] }, options);
    await collect((await model.call({ ...CALL, ...call }, never())).events);
    return api.request(0);
  };

  test("contains the key, the custom headers, the betas and our settings", async () => {
    const { headers, body } = await sent(
      { betas: ["b", "a"], effort: "low", thinking: { type: "adaptive", display: "omitted" } },
      { headers: { "X-Team": "blue" }, betas: ["a"], userId: "me" },
    );
    expect(headers).toMatchObject({ "x-api-key": "key", "x-team": "blue", "anthropic-beta": "a,b" });
    expect(headers.authorization).toBeUndefined();
    expect(body).toMatchObject({
      model: "claude-opus-5-5",
      max_tokens: 1000,
      stream: true,
      output_config: { effort: "low" },
      thinking: { type: "adaptive", display: "omitted" },
      metadata: { user_id: "me" },
    });
  });

  test("contains a token as a bearer token", async () => {
    const { headers } = await sent({}, { apiKey: "", authToken: "secret" });
    expect(headers.authorization).toBe("Bearer secret");
    expect(headers["x-api-key"]).toBeUndefined();
  });

  test("passes on a block of an unknown type", async () => {
    const block = new Unknown("hologram", { type: "hologram", depth: 3 });
    const { body } = await sent({
      messages: [{ role: "user", content: [block, { type: "text", text: "see" }] }],
    });
    expect(body.messages).toMatchObject([{ content: [{ type: "hologram", depth: 3 }, { type: "text" }] }]);
  });

  test("is not made without credentials", async () => {
    const { api, model } = await connectTo({ steps: [] }, { apiKey: "" });
    const error = await failureOf(model.call(CALL, never()));
    expect(error).toMatchObject({ status: null, type: "missing_credentials" });
    expect(api.requests).toHaveLength(0);
  });
});

describe("a failure", () => {
  test("before the reply has the provider's status, type, message and retry delay", async () => {
    const { model } = await connectTo({
      steps: [
        {
          type: "error",
          status: 429,
          error: { type: "rate_limit_error", message: "slow down" },
          headers: { "retry-after": "2" },
        },
      ],
    });
    const error = await failureOf(model.call(CALL, never()));
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({
      status: 429,
      type: "rate_limit_error",
      message: "slow down",
      retryAfterMs: 2000,
    });
    expect((error as ModelError).requestId).toMatch(/^req_/);
  });

  test("within a reply has the status of its type", async () => {
    const { model } = await connectTo({ steps: [{ text: "Hello", errorAfterBlock: 0 }] });
    const { events } = await model.call(CALL, never());
    const error = await failureOf(collect(events));
    expect(error).toBeInstanceOf(ModelError);
    expect((error as ModelError).requestId).toMatch(/^req_/);
    expect(error).toMatchObject({ status: 529, type: "overloaded_error", message: "Overloaded" });
  });

  test("of the connection has no status", async () => {
    const { api, model } = await connectTo({ steps: [{ type: "reset" }] });
    expect(await failureOf(model.call(CALL, never()))).toMatchObject({
      status: null,
      type: "connection_error",
    });
    await api.close();
    expect(await failureOf(model.call(CALL, never()))).toMatchObject({
      status: null,
      type: "connection_error",
    });
  });

  test("during a reply counts as cut off, after the events received so far", async () => {
    const { model } = await connectTo({
      steps: [{ text: "a long enough text to be cut", cutAfterChunks: 1 }],
    });
    const { events } = await model.call(CALL, never());
    const fold = startFold();
    const reading = (async () => {
      for await (const event of events) fold.push(event);
    })();
    expect(await failureOf(reading)).toMatchObject({ status: null, type: "stream_cut" });
    expect(fold.partialText).toBe("a long enough te");
  });

  test.each([
    ["ends without its last event", 'event: ping\ndata: {"type":"ping"}\n\n'],
    ["is not JSON", "event: message_start\ndata: {broken\n\n"],
    ["is empty", ""],
  ])("of a stream that %s counts as cut off", async (_, stream) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(stream);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const model = anthropicModel({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "key" });
      const { events } = await model.call(CALL, never());
      expect(await failureOf(collect(events))).toMatchObject({ status: null, type: "stream_cut" });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test("is reported if the provider is silent, before or during the reply", async () => {
    const { model } = await connectTo(
      { steps: [{ delayBefore: 60_000 }, { text: "one two three four", stallAfterChunks: 1 }] },
      { timeoutMs: 100 },
    );
    expect(await failureOf(model.call(CALL, never()))).toMatchObject({
      status: null,
      type: "connection_error",
    });
    const { events } = await model.call(CALL, never());
    expect(await failureOf(collect(events))).toMatchObject({ status: null, type: "stream_cut" });
  });
});

describe("the signal of a turn", () => {
  test("has no listener left after a reply, however it ended", async () => {
    const { model } = await connectTo({
      steps: [
        { text: "whole" },
        { text: "Hello", errorAfterBlock: 0 },
        { text: "left early" },
        { type: "reset" },
      ],
    });
    const { signal } = new AbortController();
    await collect((await model.call(CALL, signal)).events);
    await failureOf(collect((await model.call(CALL, signal)).events));
    for await (const event of (await model.call(CALL, signal)).events)
      if (event.type === "content_block_delta") break;
    await failureOf(model.call(CALL, signal));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("an abort", () => {
  const reason = new Error("enough");

  test("before the call rejects with its reason and sends no request", async () => {
    const { api, model } = await connectTo({ steps: [] });
    expect(await failureOf(model.call(CALL, AbortSignal.abort(reason)))).toBe(reason);
    expect(api.requests).toHaveLength(0);
  });

  test("while the provider thinks closes the connection", async () => {
    const { api, model } = await connectTo({ steps: [{ delayBefore: 60_000 }] });
    const controller = new AbortController();
    const call = failureOf(model.call(CALL, controller.signal));
    const request = await api.request(0);
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(await request.end).toBe("broken");
  });

  test("within a reply closes the connection and ends the events with its reason", async () => {
    const { api, model } = await connectTo({
      steps: [{ text: "one two three four five", stallAfterChunks: 1 }],
    });
    const controller = new AbortController();
    const { events } = await model.call(CALL, controller.signal);
    const reading = (async () => {
      for await (const event of events) if (event.type === "content_block_delta") controller.abort(reason);
    })();
    expect(await failureOf(reading)).toBe(reason);
    expect(await (await api.request(0)).end).toBe("broken");
  });

  test("also happens if the events are not read to the end", async () => {
    const { api, model } = await connectTo({
      steps: [{ text: "one two three four five", stallAfterChunks: 1 }],
    });
    const { events } = await model.call(CALL, never());
    for await (const event of events) if (event.type === "content_block_delta") break;
    expect(await (await api.request(0)).end).toBe("broken");
  });
});
