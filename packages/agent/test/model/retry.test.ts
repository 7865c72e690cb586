import { ModelError, NOT_LISTENING } from "@agentwire/models";
import type { ScriptStep } from "@agentwire/models/script";
import { afterEach, describe, expect, test } from "vitest";
import { anthropicModel } from "../../src/model/anthropic.ts";
import { errorKind, finalErrorKind, isPromptTooLong, isRetryable } from "../../src/model/error-kind.ts";
import type { ModelCall } from "../../src/model/model.ts";
import { callWithRetries, type RetryNotice, retryDelay, startRetries } from "../../src/model/retry.ts";
import { type ScriptedApi, startScriptedApi } from "../scripted-api.ts";

const CALL: ModelCall = {
  model: "claude-opus-5-5",
  system: [],
  messages: [{ role: "user", content: "hi" }],
  tools: [{ name: "Bash", input_schema: { type: "object" } }],
  maxTokens: 100,
};

let api: ScriptedApi | undefined;
afterEach(() => api?.close());

/** Makes one call whose retries do not wait; returns what the host received. */
async function attempt(steps: readonly ScriptStep[], maxRetries = 10) {
  api = await startScriptedApi({ steps });
  const notices: RetryNotice[] = [];
  const waits: number[] = [];
  const retries = startRetries({
    maxRetries,
    onRetry: (notice) => notices.push(notice),
    sleep: async (ms) => void waits.push(ms),
    random: () => 1,
  });
  const model = anthropicModel({ baseUrl: api.url, apiKey: "key" });
  const outcome = await callWithRetries(model, CALL, retries, new AbortController().signal).then(
    () => "accepted",
    (error: unknown) => error,
  );
  return { outcome, notices, waits, calls: api.requests.length };
}

const refuse = (status: number, type: string, message = "no", repeat = 1): ScriptStep => ({
  type: "error",
  status,
  error: { type, message },
  repeat,
});

describe("a call with retries", () => {
  test("reports every retry and its reason to the host", async () => {
    const { outcome, notices, waits, calls } = await attempt([
      refuse(529, "overloaded_error"),
      { type: "reset" },
      refuse(500, "api_error"),
      { text: "fine" },
    ]);
    expect(outcome).toBe("accepted");
    expect(calls).toBe(4);
    expect(notices).toEqual([
      { attempt: 1, max_retries: 10, retry_delay_ms: 625, error_status: 529, error: "overloaded" },
      { attempt: 2, max_retries: 10, retry_delay_ms: 1250, error_status: null, error: "unknown" },
      { attempt: 3, max_retries: 10, retry_delay_ms: 2500, error_status: 500, error: "server_error" },
    ]);
    expect(waits).toEqual([625, 1250, 2500]);
  });

  test("waits as long as the provider requests", async () => {
    const patient = (headers: Record<string, string>): ScriptStep => ({
      type: "error",
      status: 429,
      headers,
    });
    const { waits } = await attempt([
      patient({ "retry-after": "7" }),
      patient({ "retry-after-ms": "9" }),
      { text: "ok" },
    ]);
    expect(waits).toEqual([7000, 1250]);
  });

  test("fails with the last error when no retries are left", async () => {
    const { outcome, notices, calls } = await attempt(
      [refuse(401, "authentication_error", "bad key", 50)],
      2,
    );
    expect(outcome).toMatchObject({ status: 401, message: "bad key" });
    expect(notices.map(({ attempt, error }) => [attempt, error])).toEqual([
      [1, "authentication_failed"],
      [2, "authentication_failed"],
    ]);
    expect(calls).toBe(3);
  });

  test.each([
    [403, "permission_error", "no", 1],
    [400, "invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum", 1],
    [413, "request_too_large", "no", 1],
    [402, "billing_error", "no", 1],
    [400, "invalid_request_error", "messages.0: wrong", 2],
    [404, "not_found_error", "model: none", 2],
  ])(
    "after a %d (%s: %s) makes %4$d call(s) and reports nothing to the host",
    async (status, type, message, expected) => {
      const { outcome, notices, calls } = await attempt([refuse(status, type, message, 50)]);
      expect(outcome).toMatchObject({ status });
      expect(notices).toEqual([]);
      expect(calls).toBe(expected);
    },
  );

  test("continues silently if the second try of a rejected call succeeds", async () => {
    const { outcome, notices } = await attempt([refuse(400, "invalid_request_error"), { text: "fine" }]);
    expect(outcome).toBe("accepted");
    expect(notices).toEqual([]);
  });

  test("ends a wait as soon as it is aborted", async () => {
    api = await startScriptedApi({
      steps: [{ type: "error", status: 429, headers: { "retry-after": "600" } }],
    });
    const controller = new AbortController();
    const reason = new Error("enough");
    const retries = startRetries({
      maxRetries: 10,
      onRetry: () => setImmediate(() => controller.abort(reason)),
    });
    const model = anthropicModel({ baseUrl: api.url, apiKey: "key" });
    await expect(callWithRetries(model, CALL, retries, controller.signal)).rejects.toBe(reason);
  });

  test("counts failures of streams and of calls together", async () => {
    const notices: RetryNotice[] = [];
    const retries = startRetries({
      maxRetries: 2,
      onRetry: (notice) => notices.push(notice),
      sleep: async () => {},
    });
    const { signal } = new AbortController();
    const cut = new ModelError(null, "stream_cut", "cut");
    await retries.afterFailure(cut, signal);
    await retries.afterFailure(new ModelError(529, "overloaded_error", "busy"), signal);
    await expect(retries.afterFailure(cut, signal)).rejects.toBe(cut);
    expect(notices.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test("soon gives up on a local server that is not running", async () => {
    const notices: RetryNotice[] = [];
    const retries = startRetries({
      maxRetries: 10,
      onRetry: (notice) => notices.push(notice),
      sleep: async () => {},
      random: () => 0,
    });
    const { signal } = new AbortController();
    const off = new ModelError(null, NOT_LISTENING, "nothing listens there");
    for (const _ of [1, 2, 3]) await retries.afterFailure(off, signal);
    await expect(retries.afterFailure(off, signal)).rejects.toBe(off);
    expect(notices.map(({ retry_delay_ms, max_retries }) => [retry_delay_ms, max_retries])).toEqual([
      [500, 3],
      [1000, 3],
      [2000, 3],
    ]);
  });

  test("passes on errors that are not the model's", async () => {
    const bug = new TypeError("a bug");
    const model = { call: () => Promise.reject(bug) };
    const retries = startRetries({ maxRetries: 3, onRetry: () => {} });
    await expect(callWithRetries(model, CALL, retries, new AbortController().signal)).rejects.toBe(bug);
  });
});

test("the delay doubles from half a second to 32 seconds, a quarter of which is random", () => {
  const shortest = Array.from({ length: 10 }, (_, i) => retryDelay(i + 1, undefined, 0));
  expect(shortest).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000, 32_000, 32_000, 32_000]);
  expect(retryDelay(7, undefined, 1)).toBe(40_000);
  expect(retryDelay(1, 1000, 1)).toBe(1000);
  expect(retryDelay(2, 1000, 1)).toBe(1250);
});

test.each([
  [null, "connection_error", "unknown", true],
  [null, "missing_credentials", "authentication_failed", false],
  [400, "invalid_request_error", "invalid_request", false],
  [400, "billing_error", "billing_error", false],
  [401, "authentication_error", "authentication_failed", true],
  [403, "permission_error", "authentication_failed", false],
  [404, "not_found_error", "model_not_found", false],
  [408, "timeout_error", "server_error", true],
  [409, "conflict", "server_error", true],
  [418, "teapot", "server_error", false],
  [422, "invalid_request_error", "unknown", false],
  [429, "rate_limit_error", "rate_limit", true],
  [503, "api_error", "server_error", true],
  [529, "overloaded_error", "overloaded", true],
])("an error of status %s and type %s is %s, retried: %s", (status, type, kind, retried) => {
  const error = new ModelError(status, type, "text");
  expect(errorKind(error)).toBe(kind);
  expect(isRetryable(error)).toBe(retried);
});

test("an overloaded provider counts as a server error when no retries are left", () => {
  expect(finalErrorKind(new ModelError(529, "overloaded_error", "busy"))).toBe("server_error");
  expect(finalErrorKind(new ModelError(429, "rate_limit_error", "busy"))).toBe("rate_limit");
  expect(finalErrorKind(new ModelError(null, "connection_error", "gone"))).toBe("server_error");
});

test("a prompt that is too long is distinguished from other invalid requests", () => {
  expect(isPromptTooLong(new ModelError(400, "invalid_request_error", "prompt is too long: 9 > 8"))).toBe(
    true,
  );
  expect(isPromptTooLong(new ModelError(400, "invalid_request_error", "wrong"))).toBe(false);
});
