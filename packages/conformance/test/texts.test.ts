import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collapseRuns, expandRuns, sameMaskedText, sameText } from "../src/compare/texts.ts";

describe("texts are the same", () => {
  test.each([
    ["if only white space differs", "a  b\n", "a b"],
    ["if they contain the same JSON", '{"a":1,"b":2}', '{"b":2,"a":1}'],
    ["if the recording was truncated where they differ", "abc…[+10 chars]", "abc and ten more"],
  ])("%s", (_, expected, actual) => {
    expect(sameText(expected, actual)).toBe(true);
  });

  test("if they differ only in ids, times and addresses, where those do not matter", () => {
    const text = (id: string, ms: number) => `task ${id} took ${ms}ms on 127.0.0.1:${ms}`;
    const [one, other] = ["0a1b2c3d-0000-4000-8000-000000000000", "ffffffff-0000-4000-8000-000000000001"];
    expect(sameMaskedText(text(one, 5), text(other, 77))).toBe(true);
    expect(sameText(text(one, 5), text(other, 77))).toBe(false);
  });
});

test("texts that begin differently differ even if the recording was truncated", () => {
  expect(sameText("abc…[+10 chars]", "xyz and ten more")).toBe(false);
});

test("a long run of one character is shortened and can be expanded again", () => {
  expect(collapseRuns(`<${"z".repeat(1_000_000)}>`)).toBe("<<z x 1000000>>");
  const runs = fc.array(fc.tuple(fc.constantFrom("a", "b", " ", "\n"), fc.integer({ min: 1, max: 600 })));
  fc.assert(
    fc.property(runs, (pieces) => {
      const text = pieces.map(([character, count]) => character.repeat(count)).join("");
      expect(expandRuns(collapseRuns(text))).toBe(text);
    }),
  );
});
