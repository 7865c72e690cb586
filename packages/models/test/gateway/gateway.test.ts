import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { admitting, type GatewayCall } from "../../src/gateway/client.ts";
import { startGateway } from "../../src/gateway/gateway.ts";
import type { GatewayLimits } from "../../src/gateway/limits.ts";
import { Providers } from "../../src/providers/providers.ts";
import { serve, stream } from "../serve.ts";

const TOKEN = "secret-token";

const HELLO = [
  'data: {"choices":[{"delta":{"content":"hel"}}]}\n\n',
  'data: {"choices":[{"delta":{"content":"lo"},"finish_reason":"stop"}]}\n\n',
  'data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}\n\ndata: [DONE]\n\n',
];

type Answer = Parameters<typeof serve>[0];

/** A gateway to a provider that answers as the test specifies. */
async function gatewayTo(
  answer: Answer,
  { limits = {}, model }: { limits?: Partial<GatewayLimits>; model?: string } = {},
) {
  const { baseUrl, requests } = await serve(answer);
  const calls: GatewayCall[] = [];
  const providers = new Providers({
    table: { test: { baseUrl, models: { priced: { prices: { input: 1, output: 10 } } } } },
    env: {},
  });
  const client = { providers, names: { model }, onCall: (call: GatewayCall) => void calls.push(call) };
  const gateway = await startGateway({ admit: admitting(TOKEN, client), limits });
  onTestFinished(() => gateway.close());
  return { ...gateway, requests, calls };
}

const BODY = { model: "test/m", max_tokens: 10, messages: [{ role: "user", content: "hi" }] };

const post = (url: string, body: unknown = BODY, headers: Record<string, string> = { "x-api-key": TOKEN }) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

describe("a reply", () => {
  test("is a single message for a client that does not stream", async () => {
    const { url, calls } = await gatewayTo((response) => stream(response, HELLO));
    const response = await post(`${url}/v1/messages`);
    expect(response.status).toBe(200);
    expect(response.headers.get("request-id")).toMatch(/^req_/);
    expect(await response.json()).toMatchObject({
      type: "message",
      role: "assistant",
      model: "test/m",
      content: [{ type: "text", text: "hello" }],
      stop_reason: "end_turn",
      usage: { input_tokens: 7, output_tokens: 2 },
    });
    expect(calls).toMatchObject([{ model: "test/m", status: 200, inputTokens: 7, outputTokens: 2 }]);
  });

  test("is a stream of named events for a client that streams", async () => {
    const { url, calls } = await gatewayTo((response) => stream(response, HELLO));
    const response = await post(`${url}/v1/messages?beta=true`, { ...BODY, stream: true });
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const text = await response.text();
    const names = [...text.matchAll(/^event: (.*)\ndata: \{"type":"(.*?)"/gm)].map(([, name, type]) => {
      expect(name).toBe(type);
      return name;
    });
    expect(names).toEqual([
      "message_start",
      "content_block_start",
      ...["content_block_delta", "content_block_delta"],
      ...["content_block_stop", "message_delta", "message_stop"],
    ]);
    expect(calls).toMatchObject([{ inputTokens: 7, outputTokens: 2 }]);
  });

  test("comes from the default model if the requested name has no provider", async () => {
    const { url, requests } = await gatewayTo((response) => stream(response, HELLO), { model: "test/big" });
    const response = await post(`${url}/v1/messages`, { ...BODY, model: "claude-sonnet-5" });
    expect(await response.json()).toMatchObject({ model: "test/big" });
    expect(requests[0]?.body.model).toBe("big");
  });
});

describe("the error has the shape of the Messages API", () => {
  const cases: readonly [string, number, string, (url: string) => Promise<Response>][] = [
    ["without a token", 401, "authentication_error", (url) => post(`${url}/v1/messages`, BODY, {})],
    [
      "with a wrong token",
      401,
      "authentication_error",
      (url) => post(`${url}/v1/messages`, BODY, { authorization: "Bearer secret-tokem" }),
    ],
    ["for a body that is not JSON", 400, "invalid_request_error", (url) => post(`${url}/v1/messages`, "{")],
    [
      "for a request without messages",
      400,
      "invalid_request_error",
      (url) => post(`${url}/v1/messages`, { model: "test/m" }),
    ],
    [
      "for a role that does not exist",
      400,
      "invalid_request_error",
      (url) => post(`${url}/v1/messages`, { ...BODY, messages: [{ role: "robot", content: "" }] }),
    ],
    [
      "for an unknown model",
      404,
      "not_found_error",
      (url) => post(`${url}/v1/messages`, { ...BODY, model: "claude-sonnet-5" }),
    ],
    ["for an unknown path", 404, "not_found_error", (url) => post(`${url}/v1/complete`)],
    [
      "for a body that is too large",
      413,
      "request_too_large",
      (url) => post(`${url}/v1/messages`, { ...BODY, system: "x".repeat(5000) }),
    ],
  ];
  test.each(cases)("%s", async (_, status, type, send) => {
    const { url } = await gatewayTo((response) => stream(response, HELLO), {
      limits: { maxBodyBytes: 4000 },
    });
    const response = await send(url);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      type: "error",
      error: { type, message: expect.stringMatching(/./) },
    });
  });

  test("with the provider's status and its retry delay", async () => {
    const { url, calls } = await gatewayTo((response) => {
      response.writeHead(429, { "content-type": "application/json", "retry-after": "7" });
      response.end(JSON.stringify({ error: { message: "slow down" } }));
    });
    const response = await post(`${url}/v1/messages`);
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await response.json()).toMatchObject({
      error: { type: "rate_limit_error", message: "slow down" },
    });
    expect(calls).toMatchObject([{ status: 429, error: "slow down" }]);
  });

  test("as an event if a stream breaks off", async () => {
    const { url } = await gatewayTo((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(HELLO[0]);
      setImmediate(() => response.destroy());
    });
    const text = await (await post(`${url}/v1/messages`, { ...BODY, stream: true })).text();
    expect(text).toMatch(/event: error\ndata: \{"type":"error","error":\{"type":"api_error"/);
  });
});

test("the cost of a call follows the provider's prices, and is unknown without prices", async () => {
  const { url, calls } = await gatewayTo((response) => stream(response, HELLO));
  await post(`${url}/v1/messages`, { ...BODY, model: "test/priced" });
  await post(`${url}/v1/messages`);
  expect(calls.map(({ costUsd }) => costUsd)).toEqual([expect.closeTo(0.000_027), undefined]);
});

test("a client's system message within a conversation is sent as a reminder from the user", async () => {
  const { url, requests } = await gatewayTo((response) => stream(response, HELLO));
  const messages = [...BODY.messages, { role: "system", content: [{ type: "text", text: "be brief" }] }];
  expect((await post(`${url}/v1/messages`, { ...BODY, messages })).status).toBe(200);
  const last = requests[0]?.body.messages.at(-1);
  expect(last.role).toBe("user");
  expect(JSON.stringify(last.content)).toContain("<system-reminder>\\nbe brief\\n</system-reminder>");
});

test("a client that disconnects ends the call at the provider", async () => {
  let hasEnded = false;
  const { url, calls } = await gatewayTo((response) => {
    response.on("close", () => {
      hasEnded = true;
    });
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(HELLO[0]);
  });
  const leaving = new AbortController();
  const response = await fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": TOKEN },
    body: JSON.stringify({ ...BODY, stream: true }),
    signal: leaving.signal,
  });
  await response.body?.getReader().read();
  leaving.abort();
  await expect.poll(() => hasEnded).toBe(true);
  await expect.poll(() => calls).toMatchObject([{ status: 499 }]);
});

test("calls beyond the limit are rejected, and accepted again after another call has ended", async () => {
  const held: (() => void)[] = [];
  const { url } = await gatewayTo((response) => held.push(() => stream(response, HELLO)), {
    limits: { maxCalls: 1 },
  });
  const first = post(`${url}/v1/messages`);
  await expect.poll(() => held.length).toBe(1);
  const second = await post(`${url}/v1/messages`);
  expect([second.status, second.headers.get("retry-after")]).toEqual([429, "1"]);
  held[0]?.();
  expect((await first).status).toBe(200);
  const third = post(`${url}/v1/messages`);
  await expect.poll(() => held.length).toBe(2);
  held[1]?.();
  expect((await third).status).toBe(200);
});

test("a call that exceeds its deadline is ended", async () => {
  const { url } = await gatewayTo(() => {}, { limits: { callMs: 50 } });
  const response = await post(`${url}/v1/messages`);
  expect(response.status).toBe(504);
  expect(await response.json()).toMatchObject({ error: { type: "timeout_error" } });
});

test("closing ends running calls", async () => {
  const { url, close, requests } = await gatewayTo(() => {});
  const call = post(`${url}/v1/messages`).catch((error: unknown) => error);
  await expect.poll(() => requests.length).toBe(1);
  await close();
  await call;
  await expect(fetch(url)).rejects.toThrow();
});

test("a slow client causes backpressure on the provider", async () => {
  let written = 0;
  const piece = `data: {"choices":[{"delta":{"content":"${"x".repeat(60_000)}"}}]}\n\n`;
  const { url } = await gatewayTo(async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (; written < 500 && !response.destroyed; written++)
      if (!response.write(piece)) await new Promise((resolve) => response.once("drain", resolve));
  });
  const { hostname, port } = new URL(url);
  const request = httpRequest({
    hostname,
    port,
    path: "/v1/messages",
    method: "POST",
    headers: { "x-api-key": TOKEN },
  });
  request.end(JSON.stringify({ ...BODY, stream: true }));
  const [response] = await once(request, "response");
  response.pause();
  let before = -1;
  // Only what fits into the buffers in between is sent.
  const isStill = () => {
    const last = before;
    before = written;
    return last === written;
  };
  await expect.poll(isStill, { interval: 300, timeout: 20_000 }).toBe(true);
  expect(written).toBeLessThan(500);
  request.destroy();
});

test("tokens are estimated, and an image has a fixed estimate regardless of its size", async () => {
  const { url } = await gatewayTo((response) => stream(response, HELLO));
  const count = async (content: unknown) => {
    const body = { model: "test/m", messages: [{ role: "user", content }] };
    const response = await post(`${url}/v1/messages/count_tokens`, body);
    return ((await response.json()) as { input_tokens: number }).input_tokens;
  };
  const image = (data: string) => [
    { type: "image", source: { type: "base64", media_type: "image/png", data } },
  ];
  expect(await count("x".repeat(4000))).toBeGreaterThan(1000);
  expect(await count(image("A".repeat(100_000)))).toBe(await count(image("A")));
});

test("the models of all providers are listed", async () => {
  const { url } = await gatewayTo((response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: [{ id: "a", created: 1 }, { id: "models/b" }] }));
  });
  const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const { data, ...rest } = (await response.json()) as { data: { id: string }[] };
  // A local server is listed after them.
  expect(data.slice(0, 2)).toEqual([
    { type: "model", id: "test/a", display_name: "a (test)", created_at: "1970-01-01T00:00:01.000Z" },
    { type: "model", id: "test/b", display_name: "b (test)", created_at: "1970-01-01T00:00:00.000Z" },
  ]);
  expect(rest).toEqual({ has_more: false, first_id: "test/a", last_id: data.at(-1)?.id });
});
