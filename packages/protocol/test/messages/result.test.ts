import { expect, test } from "vitest";
import { isFailure, resultMessage } from "../../src/messages/result.ts";
import { readSlowly } from "./reading.ts";
import { agentSamples } from "./samples.ts";

test.each([
  ["success", false, false],
  ["success", true, true],
  ["error_max_turns", true, true],
  ["error_during_execution", false, true],
  ["error", false, true],
  ["error_of_tomorrow", false, true],
  ["cancelled", false, true],
  ["partial", false, false],
  ["partial", true, true],
  ["", false, false],
])("subtype %j with is_error %s is a failure: %s", (subtype, is_error, failed) => {
  expect(isFailure({ subtype, is_error })).toBe(failed);
});

test("an unknown subtype is kept unchanged", () => {
  const line = { ...agentSamples.result?.line, subtype: "brand_new" };
  expect(resultMessage.accepts(line)).toBe(true);
});

test.each([
  ["is_error", "true", true, "coerced"],
  ["is_error", 1, true, "coerced"],
  ["is_error", "perhaps", false, "defaulted"],
  ["num_turns", "2", 2, "coerced"],
  ["duration_ms", "12.5", 12.5, "coerced"],
  ["duration_ms", {}, 0, "defaulted"],
  ["session_id", 7, "7", "coerced"],
  ["stop_reason", 7, "7", "coerced"],
  ["permission_denials", "none", [], "defaulted"],
  ["modelUsage", [], {}, "defaulted"],
  ["total_cost_usd", "0.25", 0.25, "coerced"],
  ["total_cost_usd", "free", undefined, "dropped"],
  ["errors", "boom", undefined, "dropped"],
  ["result", null, undefined, "dropped"],
])("%s %j is read as %j", (field, was, read, kind) => {
  const line = agentSamples.result?.line ?? {};
  const { value, repairs } = readSlowly(resultMessage, { ...line, [field]: was });
  const expected: { [key: string]: unknown } = { ...line, [field]: read };
  if (read === undefined) delete expected[field];
  expect(value).toStrictEqual(expected);
  expect(repairs).toEqual([{ path: field, kind, was }]);
});
