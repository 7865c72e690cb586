import type { ScriptStep } from "@agentwire/models/script";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { bash, newApi, UNASKED } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { is, isResult, prompt } from "../wire.ts";

const failing = (status: number, type: string, message: string, headers = {}): ScriptStep => ({
  type: "error",
  status,
  error: { type, message },
  headers,
});

/** An answer that is not a stream: it contains no events. */
const noStream = failing(200, "api_error", "not a stream");

async function talk(steps: readonly ScriptStep[], prompts: readonly string[] = ["go"]) {
  const place = await newPlace();
  const api = await newApi({ steps, whenExhausted: { text: "the end" } });
  const env = { ...api.env, CLAUDE_CODE_MAX_RETRIES: "1" };
  const agent = openAgent(place, { env, args: [...UNASKED, "--include-partial-messages"] });
  let from = 0;
  for (const text of prompts) {
    from = agent.lines.length;
    agent.send(prompt(text));
    await agent.line(isResult, from);
  }
  agent.input.end();
  const { code } = await agent.ended();
  return { api, lines: agent.lines, result: agent.lines.findLast(isResult), code };
}

describe("a reply that does not end the turn", { timeout: 30_000 }, () => {
  test.each<{ what: string; step: ScriptStep }>([
    { what: "is an empty text", step: { content: [{ type: "text", text: "" }] } },
    { what: "contains only empty lines", step: { content: [{ type: "text", text: "\n\n" }] } },
    { what: "contains only thinking", step: { content: [{ type: "thinking", thinking: "hm" }] } },
    {
      what: "has filled the context window",
      step: { text: "so", stop_reason: "model_context_window_exceeded" },
    },
    { what: "stops for a call that it does not contain", step: { text: "so", stop_reason: "tool_use" } },
    { what: "breaks off after a whole block", step: { text: "so", errorAfterBlock: 0 } },
  ])("is followed by another one if it $what", async ({ step }) => {
    const { lines, result, api, code } = await talk([step]);
    expect(result).toMatchObject({ is_error: false, result: "the end", num_turns: 2 });
    expect(lines.filter((line) => line.isSynthetic === true)).toHaveLength(1);
    expect(lines.some(is("system", "api_retry"))).toBe(false);
    expect(api.requests).toHaveLength(2);
    expect(code).toBe(0);
  });

  test("has no line if it is an empty text", async () => {
    const { lines } = await talk([{ content: [{ type: "text", text: "" }] }]);
    expect(lines.filter((line) => line.type === "assistant")).toHaveLength(1);
  });

  test.each([
    { stop_reason: "max_tokens", error: "max_output_tokens", terminal_reason: "api_error", replies: 4 },
    {
      stop_reason: "tool_use",
      error: undefined,
      terminal_reason: "malformed_tool_use_exhausted",
      replies: 3,
    },
  ])(
    "fails the turn if it is repeated ($stop_reason)",
    async ({ stop_reason, error, terminal_reason, replies }) => {
      const { lines, result, code } = await talk([{ text: "so", stop_reason, repeat: 9 }]);
      const said = lines.filter((line) => line.type === "assistant");
      expect(said).toHaveLength(replies + 1);
      expect(said.at(-1)).toMatchObject({ is_api_error_message: true, message: { model: "<synthetic>" } });
      expect(said.at(-1)?.error).toBe(error);
      expect(result).toMatchObject({
        subtype: "success",
        is_error: true,
        stop_reason: "stop_sequence",
        terminal_reason,
      });
      expect(code).toBe(1);
    },
  );

  test("because the connection broke counts with its usage", async () => {
    const { result } = await talk([{ text: "one two three four five six", cutAfterChunks: 1 }]);
    expect(result).toMatchObject({ result: "the end", usage: { input_tokens: 200, output_tokens: 21 } });
  });
});

describe("a failed model call", { timeout: 30_000 }, () => {
  test.each<{ what: string; step: ScriptStep }>([
    { what: "whose answer is not a stream", step: noStream },
    { what: "with an unprocessable request", step: failing(422, "invalid_request_error", "no") },
  ])("$what is repeated once, and the host is not notified", async ({ step }) => {
    const { lines, result, api } = await talk([step]);
    expect(result).toMatchObject({ is_error: false, result: "the end", num_turns: 1 });
    expect(lines.some(is("system", "api_retry"))).toBe(false);
    expect(lines.filter(is("system", "status"))).toHaveLength(1);
    expect(api.requests).toHaveLength(2);
  });

  test.each([
    {
      what: "that must not be retried",
      step: failing(429, "rate_limit_error", "no", { "x-should-retry": "false" }),
      error: "rate_limit",
      terminal_reason: "api_error",
    },
    {
      what: "without credit",
      step: failing(400, "invalid_request_error", "Your credit balance is too low to go on."),
      error: "billing_error",
      terminal_reason: "api_error",
    },
    {
      what: "with an image that is too large",
      step: failing(400, "invalid_request_error", "messages.0.content.1.image: image exceeds 5 MB maximum"),
      error: "invalid_request",
      terminal_reason: "image_error",
    },
    {
      what: "with a request that is too large",
      step: failing(413, "request_too_large", "too large"),
      error: "invalid_request",
      terminal_reason: "image_error",
    },
  ])("$what is made once", async ({ step, error, terminal_reason }) => {
    const { lines, result, api, code } = await talk([step]);
    expect(api.requests).toHaveLength(1);
    expect(lines.find((line) => line.type === "assistant")).toMatchObject({ error });
    expect(result).toMatchObject({ is_error: true, terminal_reason });
    expect(code).toBe(1);
  });

  test("because the provider can't be reached is finally reported as the provider's failure", async () => {
    const { lines } = await talk([{ type: "reset", repeat: 9 }]);
    expect(lines.find(is("system", "api_retry"))).toMatchObject({ error: "unknown", error_status: null });
    expect(lines.find((line) => line.type === "assistant")).toMatchObject({ error: "server_error" });
  });
});

describe("a conversation that is too long for the provider", { timeout: 30_000 }, () => {
  const tooLong = failing(400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum");

  test("is summarized, and the turn continues", async () => {
    const { lines, result, api } = await talk(
      [{ text: "first" }, tooLong, { text: "<summary>all of it</summary>" }, { text: "and on" }],
      ["hi", "go on"],
    );
    expect(lines.find(is("system", "compact_boundary"))).toMatchObject({
      compact_metadata: { trigger: "auto" },
    });
    expect(result).toMatchObject({ is_error: false, result: "and on", num_turns: 2 });
    expect(JSON.stringify(api.requests.at(-1)?.body.messages)).toContain("all of it");
  });

  test("even after it was summarized fails the turn", async () => {
    const { result } = await talk(
      [{ text: "first" }, tooLong, { text: "<summary>all of it</summary>" }, tooLong],
      ["hi", "go on"],
    );
    expect(result).toMatchObject({ is_error: true, terminal_reason: "prompt_too_long" });
  });

  test("with nothing to summarize fails the turn at once", async () => {
    const { lines, result, api } = await talk([tooLong]);
    expect(lines.some(is("system", "compact_boundary"))).toBe(false);
    expect(result).toMatchObject({ is_error: true, terminal_reason: "prompt_too_long" });
    expect(api.requests).toHaveLength(1);
  });
});

test("calls received before the connection broke are run", { timeout: 30_000 }, async () => {
  const { result, api } = await talk([{ content: [bash("echo ran")], errorAfterBlock: 0 }]);
  expect(result).toMatchObject({ is_error: false, result: "the end" });
  expect(JSON.stringify(api.requests.at(-1)?.body.messages)).toContain("ran");
});
