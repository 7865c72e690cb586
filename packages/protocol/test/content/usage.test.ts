import { describe, expect, test } from "vitest";
import { modelUsage, usage, usageSoFar } from "../../src/content/usage.ts";
import { resultMessage } from "../../src/messages/result.ts";
import { readSlowly } from "../messages/reading.ts";
import { agentSamples } from "../messages/samples.ts";

const counts = {
  input_tokens: 3,
  output_tokens: 5,
  cache_creation_input_tokens: 7,
  cache_read_input_tokens: 11,
};

describe.each(Object.keys(counts))("an unreadable count in %s", (field) => {
  test.each([
    ["150", 150, "coerced"],
    [" 1e3 ", 1000, "coerced"],
    ["many", 0, "defaulted"],
    ["", 0, "defaulted"],
    [null, 0, "defaulted"],
    [[1], 0, "defaulted"],
    [true, 0, "defaulted"],
  ])("%j is read as %d and the other counts are unchanged", (bad, read, kind) => {
    expect(readSlowly(usage, { ...counts, [field]: bad })).toEqual({
      value: { ...counts, [field]: read },
      repairs: [{ path: field, kind, was: bad }],
    });
  });
});

test("an unreadable count deep in a result is reported with its path and changes nothing else", () => {
  const { line } = agentSamples.result ?? { line: {} };
  const { value, repairs } = readSlowly(resultMessage, {
    ...line,
    usage: { ...counts, output_tokens: "x", cache_creation: { ephemeral_5m_input_tokens: "2" } },
    modelUsage: { m: { inputTokens: "3", costUSD: "0.5" }, n: 7 },
  });
  expect(value?.usage).toEqual({
    ...counts,
    output_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 0 },
  });
  expect(value?.modelUsage).toEqual({
    m: {
      inputTokens: 3,
      outputTokens: 0,
      cacheReadInputTokens: 0,
      cacheCreationInputTokens: 0,
      webSearchRequests: 0,
      costUSD: 0.5,
    },
  });
  expect(repairs.map((repair) => `${repair.kind} ${repair.path}`)).toEqual([
    "defaulted usage.output_tokens",
    "coerced usage.cache_creation.ephemeral_5m_input_tokens",
    "defaulted usage.cache_creation.ephemeral_1h_input_tokens",
    "coerced modelUsage.m.inputTokens",
    "defaulted modelUsage.m.outputTokens",
    "defaulted modelUsage.m.cacheReadInputTokens",
    "defaulted modelUsage.m.cacheCreationInputTokens",
    "defaulted modelUsage.m.webSearchRequests",
    "coerced modelUsage.m.costUSD",
    "dropped modelUsage.n",
  ]);
});

test("a count that a message_delta omits stays absent", () => {
  expect(readSlowly(usageSoFar, { output_tokens: 9 })).toEqual({ value: { output_tokens: 9 }, repairs: [] });
  expect(usageSoFar.accepts({ output_tokens: 9, input_tokens: null })).toBe(true);
});

test("an unreadable price is unknown, not zero", () => {
  const { value } = readSlowly(modelUsage, { inputTokens: 1, costUSD: "free" });
  expect(value).not.toHaveProperty("costUSD");
});
