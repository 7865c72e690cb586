import type { ScriptError } from "@agentwire/models/script";
import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, test, vi } from "vitest";
import { openBench } from "./bench.ts";
import { openLive } from "./live.ts";
import { kinds, ofType, resultOf, toolResults } from "./messages.ts";
import { say, use } from "./script.ts";

vi.setConfig({ testTimeout: 30_000 });

const READ = use("Read", { file_path: "{{cwd}}/note.txt" });
const FILES = { "note.txt": "a note\n" };

describe("a limit", () => {
  test.each<[string, Options, string]>([
    ["turns", { maxTurns: 1 }, "error_max_turns"],
    ["budget", { maxBudgetUsd: 0.000_001, model: "claude-sonnet-4-5" }, "error_max_budget_usd"],
  ])(
    "of %s ends the query with an error that the SDK throws after the result",
    async (_of, options, subtype) => {
      const bench = await openBench({ steps: [READ, say("never")] }, FILES);
      const talk = await bench.ask("read", options);
      expect(resultOf(talk)).toMatchObject({ subtype, is_error: true, errors: [expect.any(String)] });
      expect(talk.error?.message).toMatch(/^Claude Code returned an error result: /);
      expect(bench.api.requests).toHaveLength(1);
    },
  );

  test("of turns does not end the conversation for later prompts", async () => {
    const bench = await openBench({ steps: [READ, say("rested")] }, FILES);
    const live = openLive(bench, { maxTurns: 1 });
    live.send("read");
    expect(await live.until("result")).toMatchObject({ subtype: "error_max_turns" });
    live.send("go on");
    expect(await live.until("result")).toMatchObject({ subtype: "success", result: "rested" });
    expect((await live.end()).error).toBeUndefined();
  });
});

describe("an API error", () => {
  const failing = (status: number, type: string): ScriptError => ({
    type: "error",
    status,
    error: { type, message: "as the test wants it" },
  });

  test("becomes a message, an error result, and an error thrown by the SDK", async () => {
    const bench = await openBench({ steps: [], whenExhausted: failing(403, "permission_error") });
    const talk = await bench.ask("hi");
    expect(ofType(talk, "assistant")).toMatchObject([{ message: { model: "<synthetic>" } }]);
    expect(resultOf(talk)).toMatchObject({ subtype: "success", is_error: true, api_error_status: 403 });
    expect(talk.error?.message).toContain("as the test wants it");
  });

  test("that is transient is retried, and the host is notified", async () => {
    const bench = await openBench({
      steps: [{ ...failing(529, "overloaded_error"), headers: { "retry-after": "0" } }, say("there")],
    });
    const talk = await bench.ask("hi");
    expect(kinds(talk)).toContain("system/api_retry");
    expect(resultOf(talk)).toMatchObject({ result: "there", is_error: false });
    expect(talk.error).toBeUndefined();
  });
});

describe("outputFormat", () => {
  const outputFormat: Options["outputFormat"] = {
    type: "json_schema",
    schema: {
      type: "object",
      properties: { name: { type: "string" }, age: { type: "number" } },
      required: ["name", "age"],
    },
  };

  test("yields structured output", async () => {
    const bench = await openBench({ steps: [use("StructuredOutput", { name: "Ada", age: 36 }), say("no")] });
    const talk = await bench.ask("who", { outputFormat });
    expect(resultOf(talk)).toMatchObject({ subtype: "success", structured_output: { name: "Ada", age: 36 } });
    expect(bench.api.requests).toHaveLength(1);
  });

  test("lets the model correct output that does not match the schema", async () => {
    const bench = await openBench({
      steps: [
        use("StructuredOutput", { name: "Ada" }, "toolu_1"),
        use("StructuredOutput", { name: "Ada", age: 36 }, "toolu_2"),
      ],
    });
    const talk = await bench.ask("who", { outputFormat });
    expect(toolResults(talk)[0]).toMatchObject({ is_error: true });
    expect(resultOf(talk)).toMatchObject({ structured_output: { name: "Ada", age: 36 } });
  });
});

test("a result contains tokens and cost by model", async () => {
  const bench = await openBench({
    steps: [{ text: "hi", usage: { input_tokens: 1000, output_tokens: 100 } }],
  });
  const result = resultOf(await bench.ask("hi", { model: "claude-sonnet-4-5" }));
  expect(result.usage).toMatchObject({ input_tokens: 1000, output_tokens: 100 });
  expect(result.total_cost_usd).toBeCloseTo(0.0045);
  expect(result.modelUsage).toMatchObject({
    "claude-sonnet-4-5": { inputTokens: 1000, outputTokens: 100, costUSD: expect.closeTo(0.0045) },
  });
  expect(result.duration_ms).toBeGreaterThanOrEqual(result.duration_api_ms);
});
