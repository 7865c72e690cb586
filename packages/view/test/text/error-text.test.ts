import { expect, test } from "vitest";
import { withoutErrorTags } from "../../src/text/index.ts";

test.each([
  ["<tool_use_error>There is no\nsuch file.</tool_use_error>", "There is no\nsuch file."],
  ["plain output", "plain output"],
  [
    "the tag <tool_use_error>in</tool_use_error> a file",
    "the tag <tool_use_error>in</tool_use_error> a file",
  ],
])("an error is shown without the tags around it, and other text is unchanged: %j", (text, shown) => {
  expect(withoutErrorTags(text)).toBe(shown);
});
