import { expect, test } from "vitest";
import { ALIASES, claudeEntry, PRICE_LIST } from "../../src/providers/claude-models.ts";

test("the price list contains every model once, and every alias refers to a model", () => {
  const names = PRICE_LIST.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const target of ALIASES.values()) expect(names).toContain(target);
});

test.each([
  "claude-haiku-4-5-20251001",
  "us.anthropic.claude-haiku-4-5-20251001-v1:0",
  "claude-haiku-4-5@20251001",
  "claude-haiku-4-5[1m]",
])("%s is found by its plain name", (name) => {
  expect(claudeEntry(name)?.name).toBe("claude-haiku-4-5");
});
