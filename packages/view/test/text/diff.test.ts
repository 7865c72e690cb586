import { describe, expect, test } from "vitest";
import { diffLines } from "../../src/text/diff.ts";
import { editMade, editOf } from "../../src/text/edit.ts";

const signs = (before: string, after: string) =>
  diffLines(before, after).map(({ sign, text }) => `${sign}${text}`);

describe("a line diff", () => {
  test.each<[string, string, string, string[]]>([
    ["a changed line", "a\nb\nc", "a\nB\nc", [" a", "-b", "+B", " c"]],
    ["a new file", "", "a\nb", ["+a", "+b"]],
    ["removed lines", "a\nb\nc", "a\nc", [" a", "-b", " c"]],
    ["unchanged lines in between", "a\nb\nc\nd", "x\nb\nc\ny", ["-a", "+x", " b", " c", "-d", "+y"]],
    ["nothing", "a", "a", [" a"]],
    ["a repeated line", "a\na", "a", [" a", "-a"]],
  ])("%s", (_, before, after, expected) => {
    expect(signs(before, after)).toEqual(expected);
  });

  test("of very long texts replaces everything", () => {
    const lines = (word: string) => Array.from({ length: 5000 }, (_, index) => `${word}${index}`).join("\n");
    expect(diffLines(lines("a"), lines("b"))).toHaveLength(10_000);
  });
});

describe("a change to a file", () => {
  test("is derived from the input of a call", () => {
    const input = { file_path: "/a", old_string: "x", new_string: "y\nz" };
    expect(editOf("Edit", input)).toMatchObject({ path: "/a", added: 2, removed: 1 });
    expect(editOf("Write", { file_path: "/a", content: "x" })).toMatchObject({ added: 1, removed: 0 });
    expect(editOf("Bash", { command: "ls" })).toBeUndefined();
  });

  test("has line numbers once it has been made", () => {
    const hunk = { oldStart: 5, newStart: 7, lines: [" a", "-b", "+c", "+d", " e"] };
    const made = editMade(JSON.stringify({ filePath: "/a", structuredPatch: [hunk] }));
    expect(made?.hunks[0]?.map(({ sign, number }) => `${sign}${number}`)).toEqual([
      " 7",
      "-6",
      "+8",
      "+9",
      " 10",
    ]);
  });

  test.each(["", "null", "[]", '{"filePath":"/a"}', '{"filePath":"/a","structuredPatch":[null,3]}'])(
    "is not found in %j",
    (json) => {
      expect(editMade(json)?.hunks ?? []).toEqual([]);
    },
  );
});
