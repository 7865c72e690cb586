import { type UserQuestion, UserQuestionSchema } from "@agentwire/api";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { answerOf, NO_CHOICE, toggled, withOwn } from "../../src/text/answers.ts";

const question = (multiSelect: boolean): UserQuestion =>
  create(UserQuestionSchema, { multiSelect, options: [{ label: "A" }, { label: "B" }, { label: "C" }] });

test("the last choice wins in a single-answer question, whether an option or free text", () => {
  const asked = question(false);
  const chosen = toggled(asked, toggled(asked, NO_CHOICE, "A"), "B");
  expect(answerOf(asked, chosen)).toBe("B");
  expect(answerOf(asked, withOwn(asked, chosen, " mine "))).toBe("mine");
});

test("several answers are joined in the order offered, with free text last", () => {
  const asked = question(true);
  const chosen = ["C", "B", "A", "B"].reduce((choice, label) => toggled(asked, choice, label), NO_CHOICE);
  expect(answerOf(asked, withOwn(asked, chosen, "mine"))).toBe("A, C, mine");
});

test("the answer is empty if nothing is chosen", () => {
  expect(answerOf(question(true), NO_CHOICE)).toBe("");
});
