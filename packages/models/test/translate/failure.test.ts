import { describe, expect, test } from "vitest";
import { PlainHeaders } from "../../src/http/plain-headers.ts";
import { failureOf } from "../../src/translate/failure.ts";

const openai = (message: string, code: string | null = null, type = "invalid_request_error") => ({
  error: { message, type, param: null, code },
});

/** Errors that providers document or were reported to send, and their equivalents in the Messages API. */
test.each<[string, number, unknown, number, string]>([
  [
    "OpenAI, wrong key",
    401,
    openai("Incorrect API key provided: sk-x.", "invalid_api_key"),
    401,
    "authentication_error",
  ],
  [
    "OpenAI, no such model",
    404,
    openai("The model `gpt-9` does not exist", "model_not_found"),
    404,
    "not_found_error",
  ],
  [
    "OpenAI, prompt too long",
    400,
    openai("This model's maximum context length is 128000 tokens.", "context_length_exceeded"),
    400,
    "invalid_request_error",
  ],
  [
    "OpenAI, rate limit",
    429,
    openai("Rate limit reached for gpt-5", "rate_limit_exceeded", "tokens"),
    429,
    "rate_limit_error",
  ],
  [
    "OpenAI, no credit",
    429,
    openai(
      "You exceeded your current quota, please check your plan and billing details.",
      "insufficient_quota",
      "insufficient_quota",
    ),
    402,
    "billing_error",
  ],
  [
    "OpenAI, overloaded",
    503,
    openai("The engine is currently overloaded, please try again later", null, "server_error"),
    529,
    "overloaded_error",
  ],
  ["OpenAI, server error", 500, openai("The server had an error", null, "server_error"), 500, "api_error"],
  [
    "Azure, filtered",
    400,
    openai("The response was filtered", "content_filter"),
    400,
    "invalid_request_error",
  ],
  [
    "Gemini, in a list",
    400,
    [{ error: { code: 400, message: "API key not valid.", status: "INVALID_ARGUMENT" } }],
    401,
    "authentication_error",
  ],
  [
    "Gemini, overloaded",
    503,
    [
      {
        error: {
          code: 503,
          message: "The model is overloaded. Please try again later.",
          status: "UNAVAILABLE",
        },
      },
    ],
    529,
    "overloaded_error",
  ],
  [
    "Gemini, rate limit",
    429,
    [{ error: { code: 429, message: "Resource has been exhausted", status: "RESOURCE_EXHAUSTED" } }],
    429,
    "rate_limit_error",
  ],
  [
    "Gemini, prompt too long",
    400,
    [
      {
        error: {
          code: 400,
          message: "The input token count (2000000) exceeds the maximum number of tokens allowed",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
    400,
    "invalid_request_error",
  ],
  [
    "OpenRouter, no credit",
    402,
    { error: { code: 402, message: "Insufficient credits" } },
    402,
    "billing_error",
  ],
  [
    "OpenRouter, its provider's message",
    429,
    { error: { code: 429, message: "Provider returned error", metadata: { raw: "slow down" } } },
    429,
    "rate_limit_error",
  ],
  [
    "OpenRouter, moderation",
    403,
    { error: { code: 403, message: "Your chosen model requires moderation" } },
    403,
    "permission_error",
  ],
  ["DeepSeek, no credit", 402, { error: { message: "Insufficient Balance" } }, 402, "billing_error"],
  [
    "Groq, capacity",
    498,
    { error: { message: "Flex tier capacity exceeded: no capacity" } },
    529,
    "overloaded_error",
  ],
  [
    "Mistral, invalid request",
    422,
    { detail: [{ loc: ["body", "x"], msg: "extra fields not permitted" }] },
    422,
    "invalid_request_error",
  ],
  ["Mistral, wrong key", 401, { detail: "Unauthorized" }, 401, "authentication_error"],
  [
    "xAI, no such model",
    404,
    { code: "Some requested entity was not found", error: "The model grok-9 does not exist" },
    404,
    "not_found_error",
  ],
  [
    "xAI, wrong key",
    400,
    { code: "Client specified an invalid argument", error: "Incorrect API key provided: xa***aa." },
    401,
    "authentication_error",
  ],
  [
    "Ollama, no such model",
    404,
    { error: { message: 'model "x" not found, try pulling it first', type: "not_found_error" } },
    404,
    "not_found_error",
  ],
  [
    "Ollama, no tool support",
    400,
    { error: { message: "registry.ollama.ai/library/x does not support tools" } },
    400,
    "invalid_request_error",
  ],
  [
    "vLLM, prompt too long",
    400,
    {
      object: "error",
      message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
      type: "BadRequestError",
      code: 400,
    },
    400,
    "invalid_request_error",
  ],
  [
    "llama.cpp, prompt too long",
    400,
    {
      error: {
        code: 400,
        message: "the request exceeds the available context size",
        type: "exceed_context_size_error",
      },
    },
    400,
    "invalid_request_error",
  ],
  [
    "llama.cpp, loading",
    503,
    { error: { code: 503, message: "Loading model", type: "unavailable_error" } },
    529,
    "overloaded_error",
  ],
  [
    "LM Studio, an error as text",
    400,
    { error: "The number of tokens to keep from the initial prompt is greater than the context length" },
    400,
    "invalid_request_error",
  ],
  ["a proxy, a page", 502, "<html>Bad Gateway</html>", 502, "api_error"],
  ["a proxy, nothing", 504, "", 504, "timeout_error"],
  ["a request that is too large", 413, "Payload Too Large", 413, "request_too_large"],
  ["an answer with status 418", 418, {}, 418, "api_error"],
])("%s", (_who, status, body, expected, type) => {
  const failure = failureOf({ status, body });
  expect(failure).toMatchObject({ status: expected, type });
  expect(failure.message).not.toBe("");
});

test.each([
  [400, openai("This model's maximum context length is 128000 tokens.", "context_length_exceeded")],
  [400, { error: { message: "the request exceeds the available context size" } }],
  [400, { error: "tokens to keep from the initial prompt is greater than the context length" }],
  [413, { error: { message: "Request too large: context window exceeded" } }],
])("a prompt that is too long has the message of the Messages API (%d)", (status, body) => {
  expect(failureOf({ status, body })).toMatchObject({
    status: 400,
    message: expect.stringMatching(/^prompt is too long: /),
  });
});

test("an exhausted quota is final, and a rate limit is not", () => {
  expect(failureOf({ status: 429, body: openai("quota", "insufficient_quota") }).isFinal).toBe(true);
  expect(failureOf({ status: 429, body: openai("slow", "rate_limit_exceeded") }).isFinal).toBe(false);
});

describe("the time to wait is read from", () => {
  test.each<[string, Record<string, string>, unknown, number]>([
    ["a header in seconds", { "retry-after": "3" }, {}, 3000],
    ["a header in milliseconds", { "retry-after-ms": "250" }, {}, 250],
    ["the sentence", {}, openai("Please try again in 1.898s. Visit"), 1898],
    ["the sentence in milliseconds", {}, openai("Please try again in 20ms."), 20],
    ["the sentence in minutes", {}, openai("Please try again in 2m"), 120_000],
    ["Gemini's details", {}, [{ error: { message: "x", details: [{ retryDelay: "39s" }] } }], 39_000],
  ])("%s", (_what, headers, body, expected) => {
    expect(failureOf({ status: 429, body, headers: new PlainHeaders(headers) }).retryAfterMs).toBe(expected);
  });
});
