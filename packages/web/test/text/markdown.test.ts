import { describe, expect, test } from "vitest";
import { type Inline, parseInline } from "../../src/text/inline.ts";
import { type Block, parseMarkdown } from "../../src/text/markdown.ts";

/** Blocks in short: what they are, and their text. */
const brief = (blocks: readonly Block[]): unknown[] => blocks.map(briefly);

function briefly(block: Block): unknown[] {
  switch (block.type) {
    case "heading":
      return [`h${block.level}`, words(block.inside)];
    case "paragraph":
      return ["p", words(block.inside)];
    case "code":
      return ["code", block.language, block.text];
    case "quote":
      return ["quote", brief(block.blocks)];
    case "list":
      return [block.start ?? "-", ...block.items.map(({ blocks: inner }) => brief(inner))];
    case "table":
      return ["table", block.head.map(words), ...block.rows.map((row) => row.map(words))];
    case "rule":
      return ["rule"];
  }
}

const words = (pieces: readonly Inline[]): string =>
  pieces.map((piece) => ("inside" in piece ? `<${words(piece.inside)}>` : piece.text)).join("");

describe("blocks", () => {
  test.each<[string, string, unknown[]]>([
    [
      "paragraphs",
      "one\ntwo\n\nthree",
      [
        ["p", "one\ntwo"],
        ["p", "three"],
      ],
    ],
    [
      "headings",
      "## Title ##\ntext",
      [
        ["h2", "Title"],
        ["p", "text"],
      ],
    ],
    [
      "code",
      "```ts\na < b\n```\nafter",
      [
        ["code", "ts", "a < b"],
        ["p", "after"],
      ],
    ],
    ["code that is still being written", "```\nhalf", [["code", "", "half"]]],
    ["a fence inside of a longer one", "````\n```\n````", [["code", "", "```"]]],
    ["a list", "- a\n- b", [["-", [["p", "a"]], [["p", "b"]]]]],
    [
      "a list right after a line",
      "so:\n- a",
      [
        ["p", "so:"],
        ["-", [["p", "a"]]],
      ],
    ],
    [
      "a list in a list",
      "1. a\n   - b\n2. c",
      [
        [
          1,
          [
            ["p", "a"],
            ["-", [["p", "b"]]],
          ],
          [["p", "c"]],
        ],
      ],
    ],
    [
      "a list with space between",
      "- a\n\n- b\n\ntext",
      [
        ["-", [["p", "a"]], [["p", "b"]]],
        ["p", "text"],
      ],
    ],
    [
      "code in a list",
      "- a\n  ```\n  x\n  ```",
      [
        [
          "-",
          [
            ["p", "a"],
            ["code", "", "x"],
          ],
        ],
      ],
    ],
    [
      "a quote",
      "> a\n> - b",
      [
        [
          "quote",
          [
            ["p", "a"],
            ["-", [["p", "b"]]],
          ],
        ],
      ],
    ],
    ["a rule", "a\n\n---\n\nb", [["p", "a"], ["rule"], ["p", "b"]]],
    [
      "a table",
      "| a | b |\n| --- | :-: |\n| 1 |\n\nx",
      [
        ["table", ["a", "b"], ["1", ""]],
        ["p", "x"],
      ],
    ],
    ["no table", "a | b", [["p", "a | b"]]],
    ["HTML as text", "<script>alert(1)</script>", [["p", "<script>alert(1)</script>"]]],
  ])("%s", (_, text, expected) => {
    expect(brief(parseMarkdown(text))).toEqual(expected);
  });
});

describe("marks in a line", () => {
  test.each<[string, unknown[]]>([
    [
      "**a** b",
      [
        { type: "strong", inside: [{ type: "text", text: "a" }] },
        { type: "text", text: " b" },
      ],
    ],
    ["a_b_c", [{ type: "text", text: "a_b_c" }]],
    ["2 * 3 * 4", [{ type: "text", text: "2 * 3 * 4" }]],
    ["`a*b*`", [{ type: "code", text: "a*b*" }]],
    ["``a`b``", [{ type: "code", text: "a`b" }]],
    ["**open", [{ type: "text", text: "**open" }]],
    [
      "\\*a\\*",
      [
        { type: "text", text: "*" },
        { type: "text", text: "a" },
        { type: "text", text: "*" },
      ],
    ],
  ])("%s", (text, expected) => {
    expect(parseInline(text)).toEqual(expected);
  });

  test("links lead to the web and nowhere else", () => {
    expect(parseInline("[x](https://example.org/a)")).toMatchObject([
      { type: "link", href: "https://example.org/a" },
    ]);
    expect(parseInline("see https://example.org/a.")).toMatchObject([
      { text: "see " },
      { type: "link", href: "https://example.org/a" },
      { text: "." },
    ]);
    for (const href of ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "/local", "//host"])
      expect(parseInline(`[x](${href})`)).toEqual([{ type: "text", text: `[x](${href})` }]);
  });
});

test.each([
  ["stars", "*".repeat(50_000)],
  ["openings", "**a ".repeat(20_000)],
  ["brackets", "[".repeat(50_000)],
  ["links without an end", "[a](".repeat(20_000)],
  ["ticks", "`".repeat(50_001)],
  ["quotes", ">".repeat(50_000)],
  ["lists", "- ".repeat(20_000)],
  ["items", "- a\n".repeat(20_000)],
  ["pipes", `${"|".repeat(20_000)}\n${"|-".repeat(20_000)}`],
  ["underscores", "_a".repeat(30_000)],
  ["dashes", "- ".repeat(20_000).concat("x")],
])("%s without end are read in a moment", (_, text) => {
  const start = performance.now();
  parseMarkdown(text);
  expect(performance.now() - start).toBeLessThan(2000);
});
