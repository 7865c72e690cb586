import Anthropic, { type APIError } from "@anthropic-ai/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { admitting } from "../../src/gateway/client.ts";
import { type Gateway, startGateway } from "../../src/gateway/gateway.ts";
import { Providers } from "../../src/providers/providers.ts";
import { providerServer, stream } from "../serve.ts";

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`;
const USAGE = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 5 } } })}\n\ndata: [DONE]\n\n`;
const call = (fields: object) => chunk({ tool_calls: [{ index: 0, ...fields }] });

const WEATHER = [
  chunk({ reasoning_content: "It wants the weather." }),
  chunk({ content: "Let me look. " }),
  call({ id: "call_1", function: { name: "weather", arguments: "" } }),
  call({ function: { arguments: '{"city":' } }),
  call({ function: { arguments: '"Paris"}' } }),
  chunk({}, "tool_calls"),
  USAGE,
];

let gateway: Gateway;
let client: Anthropic;
let closeProvider: () => void;

beforeAll(async () => {
  const { baseUrl, close } = await providerServer((response, { body }) => {
    if (body === undefined) return response.end(JSON.stringify({ data: [{ id: "tiny", created: 0 }] }));
    if (body.model === "busy") {
      response.writeHead(429, { "content-type": "application/json", "retry-after": "9" });
      return response.end(JSON.stringify({ error: { message: "slow down" } }));
    }
    return stream(response, WEATHER);
  });
  const providers = new Providers({ table: { test: { baseUrl } }, env: {} });
  gateway = await startGateway({ admit: admitting("token", { providers, names: {}, onCall: () => {} }) });
  client = new Anthropic({ baseURL: gateway.url, authToken: "token", apiKey: null, maxRetries: 0 });
  closeProvider = close;
});

afterAll(async () => {
  await gateway.close();
  closeProvider();
});

const REQUEST = {
  model: "test/tiny",
  max_tokens: 100,
  messages: [{ role: "user" as const, content: "How is the weather in Paris?" }],
  tools: [
    {
      name: "weather",
      input_schema: { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] },
    },
  ],
};

const CONTENT = [
  { type: "thinking", thinking: "It wants the weather." },
  { type: "text", text: "Let me look. " },
  { type: "tool_use", id: "call_1", name: "weather", input: { city: "Paris" } },
];
const COUNTS = { input_tokens: 4, cache_read_input_tokens: 5, output_tokens: 4 };

test("the official client receives a whole message", async () => {
  const message = await client.messages.create(REQUEST);
  expect(message).toMatchObject({ content: CONTENT, stop_reason: "tool_use", usage: COUNTS });
  expect(message._request_id).toMatch(/^req_/);
});

test("the official client assembles a stream", async () => {
  const reply = client.messages.stream(REQUEST);
  const pieces: string[] = [];
  reply.on("text", (piece) => void pieces.push(piece));
  expect(await reply.finalMessage()).toMatchObject({
    content: CONTENT,
    stop_reason: "tool_use",
    usage: COUNTS,
  });
  expect(pieces).toEqual(["Let me look. "]);
});

test("the official client counts tokens and lists models", async () => {
  const { model, messages } = REQUEST;
  expect((await client.messages.countTokens({ model, messages })).input_tokens).toBeGreaterThan(5);
  expect((await client.models.list()).data).toMatchObject([{ id: "test/tiny", type: "model" }]);
});

test.each([
  ["a busy provider", "test/busy", Anthropic.RateLimitError, "rate_limit_error"],
  ["an unknown model", "claude-sonnet-5", Anthropic.NotFoundError, "not_found_error"],
])("the official client throws its own error for %s", async (_, model, kind, type) => {
  const error = await client.messages.create({ ...REQUEST, model }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(kind);
  expect((error as APIError).type).toBe(type);
  expect((error as APIError).requestID).toMatch(/^req_/);
});

test("the official client throws its own error for a wrong token", async () => {
  const other = new Anthropic({ baseURL: gateway.url, apiKey: "other", maxRetries: 0 });
  await expect(other.messages.create(REQUEST)).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
});
