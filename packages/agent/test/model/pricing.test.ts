import { NO_USAGE } from "@agentwire/protocol/messages";
import { describe, expect, test } from "vitest";
import { costOf, modelInfo, resolveModel } from "../../src/model/pricing.ts";

const SMALL_CALL = { ...NO_USAGE, input_tokens: 100, output_tokens: 20 };

describe("the cost of a call", () => {
  test("equals what the official agent reports, to the last digit", () => {
    expect(costOf("claude-opus-5-5", SMALL_CALL)).toBe(0.0008);
    expect(costOf("claude-sonnet-4-5", SMALL_CALL)).toBe(0.0006000000000000001);
  });

  test("depends on the lifetime of cache writes, cache reads and web searches", () => {
    const usage = {
      ...NO_USAGE,
      cache_creation_input_tokens: 3_000_000,
      cache_creation: { ephemeral_5m_input_tokens: 2_000_000, ephemeral_1h_input_tokens: 1_000_000 },
      cache_read_input_tokens: 1_000_000,
      server_tool_use: { web_search_requests: 3, web_fetch_requests: 0 },
    };
    expect(costOf("claude-opus-5-5", usage)).toBeCloseTo(2 * 5 + 8 + 0.2 + 0.03, 10);
  });

  test("is higher for a long prompt if the price list says so", () => {
    const million = { ...NO_USAGE, input_tokens: 1_000_000 };
    expect(costOf("claude-haiku-5-5", million)).toBeCloseTo(0.5, 10);
    expect(costOf("claude-haiku-5-5", { ...NO_USAGE, input_tokens: 100_000 })).toBeCloseTo(0.01, 10);
  });

  test.each(["some-model", "", "claude-opus-99", "constructor", "__proto__", "claude-".repeat(10_000)])(
    "is unknown, not zero, for %.20s",
    (name) => {
      expect(costOf(name, SMALL_CALL)).toBeUndefined();
      expect(modelInfo(name)).toBeUndefined();
    },
  );

  test("is zero for the offline model", () => {
    expect(costOf("offline-demo", SMALL_CALL)).toBe(0);
  });
});

describe("a model", () => {
  test.each([
    ["claude-haiku-4-5-20251001", "claude-haiku-4-5"],
    ["claude-opus-4-20250514", "claude-opus-4"],
    ["claude-opus-4@20250514", "claude-opus-4"],
    ["us.anthropic.claude-opus-4-5-20251101-v1:0", "claude-opus-4-5"],
    ["anthropic/claude-opus-5-5", "claude-opus-5-5"],
    ["claude-opus-5-5[1m]", "claude-opus-5-5"],
    ["claude-3-5-haiku-20241022", "claude-3-5-haiku"],
    ["sonnet", "claude-sonnet-5-5"],
  ])("is recognized as %s", (name, canonical) => {
    expect(modelInfo(name)?.canonical).toBe(canonical);
  });

  test("has the limits that the official agent reports", () => {
    expect(modelInfo("claude-opus-5-5")).toMatchObject({
      contextWindow: 1_000_000,
      maxOutputTokens: 128_000,
    });
    expect(modelInfo("claude-sonnet-4-5")).toMatchObject({ contextWindow: 200_000, maxOutputTokens: 32_000 });
  });

  test.each([
    ["opus", "claude-opus-5-5"],
    ["Opus", "claude-opus-5-5"],
    ["opus[1m]", "claude-opus-5-5[1m]"],
    ["default", "claude-opus-5-5"],
    ["my-model", "my-model"],
    ["", ""],
  ])("named %s resolves to %s", (name, resolved) => {
    expect(resolveModel(name)).toBe(resolved);
  });
});
