import { type UserQuestion, UserQuestionSchema } from "@agentwire/api";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { answerOf, NO_CHOICE, toggled, withOwn } from "../../src/text/answers.ts";

const question = (multiSelect: boolean): UserQuestion =>
  create(UserQuestionSchema, { multiSelect, options: [{ label: "A" }, { label: "B" }, { label: "C" }] });

test("of one answer the last choice counts, whether offered or one's own", () => {
  const asked = question(false);
  const chosen = toggled(asked, toggled(asked, NO_CHOICE, "A"), "B");
  expect(answerOf(asked, chosen)).toBe("B");
  expect(answerOf(asked, withOwn(asked, chosen, " mine "))).toBe("mine");
});

test("several answers are joined in the order they were offered, with one's own words last", () => {
  const asked = question(true);
  const chosen = ["C", "B", "A", "B"].reduce((choice, label) => toggled(asked, choice, label), NO_CHOICE);
  expect(answerOf(asked, withOwn(asked, chosen, "mine"))).toBe("A, C, mine");
});

test("no answer is none", () => {
  expect(answerOf(question(true), NO_CHOICE)).toBe("");
});
