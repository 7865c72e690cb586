import { createServer } from "node:net";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { connectProvider } from "../src/client.ts";
import { type Provider, USUAL_QUIRKS } from "../src/providers/provider.ts";
import { Providers } from "../src/providers/providers.ts";
import { ask, prompt, providerAt, serve, stream } from "./serve.ts";

const HELLO = [
  'data: {"choices":[{"delta":{"content":"hello"},"finish_reason":"stop"}]}\n\n',
  "data: [DONE]\n\n",
];

function refuse(response: import("node:http").ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json", "x-request-id": "req_1" });
  response.end(JSON.stringify({ error: { message } }));
}

test("a call uses the provider's address, key and headers, and the model's own name", async () => {
  const { baseUrl, requests } = await serve((response) => stream(response, HELLO));
  const provider = providerAt(baseUrl, { apiKey: "sk-1", headers: { "x-team": "blue" } });
  const reply = await ask(provider, prompt("hi", { model: "test/org/model[1m]" }));
  expect(requests[0]).toMatchObject({
    path: "/v1/chat/completions",
    headers: { authorization: "Bearer sk-1", "x-team": "blue" },
    body: { model: "org/model" },
  });
  expect(reply.events[0]).toMatchObject({ message: { model: "test/org/model[1m]" } });
});

test("Azure receives its key in its own header", async () => {
  const { baseUrl, requests } = await serve((response) => stream(response, HELLO));
  await ask(providerAt(baseUrl, { apiKey: "k", quirks: { ...USUAL_QUIRKS, auth: "api-key" } }));
  expect(requests[0]?.headers["api-key"]).toBe("k");
  expect(requests[0]?.headers.authorization).toBeUndefined();
});

describe("a request is adapted and repeated if the provider rejects", () => {
  test.each<[string, string, (body: Record<string, unknown>) => boolean]>([
    [
      "the older name of the token limit",
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      (body) => body.max_completion_tokens === 100 && !("max_tokens" in body),
    ],
    [
      "a token limit that is too high",
      "max_tokens is too large: 100. This model supports at most 10 completion tokens",
      (body) => !("max_tokens" in body),
    ],
    [
      "the request for usage",
      "Extra inputs are not permitted: stream_options",
      (body) => !("stream_options" in body),
    ],
    [
      "the reasoning effort",
      "Unrecognized request argument supplied: reasoning_effort",
      (body) => !("reasoning_effort" in body),
    ],
    [
      "a temperature",
      "Unsupported value: 'temperature' does not support 0.5 with this model.",
      (body) => !("temperature" in body),
    ],
    [
      "the limit to one call at a time",
      "Unknown field parallel_tool_calls",
      (body) => !("parallel_tool_calls" in body),
    ],
    [
      "unions in schemas",
      "Invalid schema for function 'A': anyOf is not supported",
      (body) => !JSON.stringify(body.tools).includes("anyOf"),
    ],
  ])("%s", async (_what, message, isFine) => {
    const { baseUrl, requests } = await serve((response, { body }) =>
      isFine(body) ? stream(response, HELLO) : refuse(response, 400, message),
    );
    const client = connectProvider(providerAt(baseUrl));
    const input_schema = {
      type: "object",
      properties: { x: { anyOf: [{ type: "string" }, { type: "null" }] } },
    };
    const request = prompt("hi", {
      temperature: 0.5,
      output_config: { effort: "high" },
      tools: [{ name: "A", input_schema }],
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
    });
    const signal = new AbortController().signal;
    for await (const _ of (await client.send(request, signal)).events);
    const before = requests.length;
    expect(before).toBeLessThanOrEqual(3);
    for await (const _ of (await client.send(request, signal)).events);
    expect(requests.length - before, "and stays so").toBe(1);
  });

  test("several parameters, until nothing is left to adapt", async () => {
    const { baseUrl, requests } = await serve((response) => refuse(response, 400, "temperature: no"));
    await expect(ask(providerAt(baseUrl))).rejects.toMatchObject({
      status: 400,
      message: "temperature: no",
      requestId: "req_1",
    });
    expect(requests.length).toBe(2);
  });

  test("a parameter, but not for other errors", async () => {
    const { baseUrl, requests } = await serve((response) => refuse(response, 400, "no such thing"));
    await expect(ask(providerAt(baseUrl))).rejects.toMatchObject({ status: 400 });
    expect(requests.length).toBe(1);
  });
});

test("the error for a local server that is not running contains its address and what to do", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  await expect(ask(providerAt(`http://127.0.0.1:${port}/v1`))).rejects.toMatchObject({
    status: null,
    type: "not_listening",
    message: `could not reach test at http://127.0.0.1:${port}/v1: nothing is listening there. Start it, or choose another model`,
  });
});

test("the error for a remote server that can't be reached contains its address", async () => {
  await expect(ask(providerAt("http://nowhere.invalid/v1"))).rejects.toMatchObject({
    status: null,
    type: "connection_error",
    message: expect.stringContaining("could not reach test at http://nowhere.invalid/v1: "),
  });
});

test("an interrupt ends a call with its own reason, before and during the reply", async () => {
  const { baseUrl } = await serve((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"choices":[{"delta":{"content":"hel"}}]}\n\n');
  });
  const client = connectProvider(providerAt(baseUrl));
  const early = AbortSignal.abort(new Error("early"));
  await expect(client.send(prompt(), early)).rejects.toThrow("early");
  const stop = new AbortController();
  const reply = await client.send(prompt(), stop.signal);
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { type } of reply.events) {
      seen.push(type);
      if (type === "content_block_delta") stop.abort(new Error("enough"));
    }
  })();
  await expect(reading).rejects.toThrow("enough");
  expect(seen).toContain("content_block_delta");
});

test("the error for a missing key names the variable to set", async () => {
  await expect(ask(providerAt("http://127.0.0.1:1/v1", { name: "openai" }))).rejects.toMatchObject({
    type: "missing_credentials",
    message: expect.stringContaining("OPENAI_API_KEY"),
  });
});

test("a provider's connection is reused for the next call, even for a model without a description", async () => {
  const ports = new Set<number | undefined>();
  const { baseUrl } = await serve((response) => {
    ports.add(response.socket?.remotePort);
    stream(response, HELLO);
  });
  const providers = new Providers({ env: { OLLAMA_HOST: baseUrl.replace(/\/v1$/, "") } });
  const provider = providers.named("ollama/m")?.provider;
  expect(provider).toBeDefined();
  expect(providers.named("ollama/other")?.provider).toBe(provider);
  const client = connectProvider(provider as Provider);
  for (let i = 0; i < 3; i++) {
    const { events } = await client.send(prompt(), AbortSignal.timeout(20_000));
    for await (const _ of events);
    await setImmediate();
    await setImmediate();
  }
  expect(ports.size).toBe(1);
});

test("a connection that the server leaves open after its reply is closed", async () => {
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const { baseUrl } = await serve((response) => {
    response.on("close", close);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(HELLO.join(""));
  });
  expect((await ask(providerAt(baseUrl))).content).toEqual([{ type: "text", text: "hello" }]);
  await closed;
});
