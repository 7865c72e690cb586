import type { ModelUsage, ResultMessage } from "@agentwire/protocol/messages";
import { expect, test } from "vitest";
import { repriced } from "../../src/usage/repriced.ts";

const used = (inputTokens: number): ModelUsage => ({
  inputTokens,
  outputTokens: 0,
  cacheReadInputTokens: 0,
  cacheCreationInputTokens: 0,
  webSearchRequests: 0,
  costUSD: 99,
});

const result = (modelUsage: Record<string, ModelUsage>) =>
  ({
    type: "result",
    total_cost_usd: 99,
    modelUsage,
    model_usage_since_last_result: modelUsage,
  }) as unknown as ResultMessage;

const costOf = (model: string, { inputTokens }: { readonly inputTokens: number }) =>
  model === "shop/a" ? inputTokens / 1000 : undefined;

test("costs follow the provider's prices, not the agent's figures", () => {
  expect(repriced(result({ "shop/a": used(2000) }), costOf)).toMatchObject({
    total_cost_usd: 2,
    modelUsage: { "shop/a": { inputTokens: 2000, costUSD: 2 } },
    model_usage_since_last_result: { "shop/a": { costUSD: 2 } },
  });
});

test("a model without a known price leaves the total without one, which is not zero", () => {
  const { total_cost_usd, modelUsage } = repriced(
    result({ "shop/a": used(2000), "shop/b": used(1) }),
    costOf,
  );
  expect(total_cost_usd).toBeUndefined();
  expect([modelUsage["shop/a"]?.costUSD, modelUsage["shop/b"]?.costUSD]).toEqual([2, undefined]);
});
