import { type Question, QuestionSchema } from "@agentwire/api";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { deadlineWords } from "../../src/text/words.ts";

const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const endingIn = (ms: number): Question => create(QuestionSchema, { expiresAt: timestampFromMs(NOW + ms) });

test.each([
  [7 * DAY - 1, "in 6 days"],
  [2 * DAY, "in 2 days"],
  [2 * DAY - 1, "in 47 hours"],
  [2 * HOUR - 1, "in 119 minutes"],
  [2 * MINUTE - 1, "in 119 seconds"],
  [1500, "in 1 second"],
  [999, "now"],
  [-HOUR, "now"],
])("a question with %d ms left is denied %s", (ms, words) => {
  expect(deadlineWords(endingIn(ms), NOW)).toBe(`denied ${words} unless answered`);
});

test("a question without a deadline does not mention one", () => {
  expect(deadlineWords(create(QuestionSchema), NOW)).toBe("");
});
