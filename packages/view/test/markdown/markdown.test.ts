import { describe, expect, test } from "vitest";
import { computingMs } from "../../../../test/computing-time.ts";
import type { Inline } from "../../src/markdown/inline.ts";
import { type Block, parseMarkdown } from "../../src/markdown/markdown.ts";
import { Segmenter } from "../../src/markdown/segments.ts";

/** A short form of blocks: their types and texts. */
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

/** The pieces of a text that is one paragraph. */
function parseInline(text: string): readonly Inline[] {
  const [block] = parseMarkdown(text);
  return block?.type === "paragraph" ? block.inside : [];
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
    ["a fence inside a longer one", "````\n```\n````", [["code", "", "```"]]],
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
      "a nested list",
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

describe("inline marks", () => {
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
    ["\\*a\\*", [{ type: "text", text: "*a*" }]],
  ])("%s", (text, expected) => {
    expect(parseInline(text)).toEqual(expected);
  });

  test("only web and mail addresses become links", () => {
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

const AT = "https://example.org";

test("checkboxes, images and addresses keep their meaning in a list", () => {
  expect(
    parseMarkdown(`- [x] done\n- [ ] ![a cat](${AT}/cat.png)\n- <${AT}> mailto:a@b.org main.rs`),
  ).toMatchObject([
    {
      items: [
        { ticked: true, blocks: [{ inside: [{ text: "done" }] }] },
        { ticked: false, blocks: [{ inside: [{ text: "" }, { type: "link", href: `${AT}/cat.png` }] }] },
        {
          blocks: [
            { inside: [{ href: AT }, { text: " " }, { href: "mailto:a@b.org" }, { text: " main.rs" }] },
          ],
        },
      ],
    },
  ]);
});

describe("a text in parts", () => {
  const TEXT = "# One\n\ntext\n\n- a\n\n- b\n\n  more\n\n```\nx\n\ny\n```\n\n1. c\n\nend\n";

  test("is split between blocks, not within lists or code", () => {
    expect(new Segmenter().split(TEXT).parts).toEqual([
      "# One\n\n",
      "text\n\n- a\n\n- b\n\n  more\n\n",
      "```\nx\n\ny\n```\n\n1. c\n\n",
      "end\n",
    ]);
  });

  test("yields the same parts when it grows character by character, and only the last part changes", () => {
    const segmenter = new Segmenter();
    let before: readonly string[] = [];
    for (let length = 1; length <= TEXT.length; length++) {
      const { parts } = segmenter.split(TEXT.slice(0, length));
      expect(parts).toEqual(new Segmenter().split(TEXT.slice(0, length)).parts);
      expect(parts.join("")).toBe(TEXT.slice(0, length));
      expect(parts.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
      before = parts;
    }
  });

  test("is parsed up to a limit, and the rest is kept", () => {
    const text = "**word** and more words\n".repeat(20_000);
    const { parts, rest } = new Segmenter().split(text);
    expect(parts.join("") + rest).toBe(text);
    expect(rest.length).toBeGreaterThan(300_000);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(16_000);
  });
});

test("text that nests too deeply is shown unformatted", () => {
  const text = `${">".repeat(60)} hidden?`;
  expect(brief(parseMarkdown(text))).toEqual([["p", text]]);
});

const growing = (from: string) => {
  let text = "";
  for (let count = 1; text.length < 2_000_000; count++) text += `${from.repeat(count)}a`;
  return text;
};

/** Inputs that make naive parsers scan the rest of the text for each character. */
const HOSTILE = [
  ..."*_[`<>|~\\&#!:-=+(\n\t ".split(""),
  ...["**a ", "*a_ ", "_a", "a**b", "a***b* ", "**a _b [c](d) `e` <f> ", "~~a ", "[a](", "[a](<b", '[a](b "'],
  ...["[a]", "![", "![[]()", "[^a]", "[a]: b\n", "[a][b]", "](", "<a ", "<!--", "<?", "<![CDATA[", "<!A "],
  ...[
    "> ",
    "> > ",
    "- ",
    "- a\n",
    "1. ",
    "* a\n  ",
    "- a\n\n",
    ">- ",
    "|-",
    "|1|2|\n",
    "| ",
    "```\n",
    "~~~\n",
  ],
  ...[
    "a\n=\n",
    "# a #",
    "http://",
    "https://a.b/(",
    "www.",
    "a@",
    "a.",
    "mailto:a@",
    "//",
    "\\`",
    "&#",
    "&amp;",
  ],
  ...["hello\n", "\u00a0", "\u{1f600}", "\0", "\r", "    a\n", "\ta\n"],
];

describe("2 MB of repeated input are parsed quickly", () => {
  const readOnce = (text: string) => {
    const start = computingMs();
    const { parts, rest } = new Segmenter().split(text);
    for (const part of parts) parseMarkdown(part);
    expect(parts.join("") + rest).toBe(text);
    expect(computingMs() - start).toBeLessThan(5000);
  };
  /** Parses the text as is, and in lines just short enough to be parsed. */
  const read = (text: string) => {
    readOnce(text);
    readOnce(Array.from({ length: 4 }, (_, at) => text.slice(at * 31_000, (at + 1) * 31_000)).join("\n\n"));
  };

  test.each(HOSTILE)("%j", (piece) => read(piece.repeat(2_000_000 / piece.length)));
  test.each(["`", "*", "[", "> ", "  "])("growing runs of %j", (piece) => read(growing(piece)));
  test("a table", () => read(`|a|b|\n|-|-|\n${"|1|2|\n".repeat(300_000)}`));
  test.each(["# ", "# a", "- ", "|", "a", "```", "[a]: ", "[a](", "`"])("spaces after %j", (piece) => {
    const spaces = " ".repeat(14_000);
    readOnce(`# a${" ".repeat(2_000_000)}b`);
    readOnce(`${piece}${spaces}#x\n`.repeat(7));
    readOnce(`${piece}${spaces.replaceAll("  ", " #")}x\n\n`.repeat(7));
  });
  test("a wide table", () =>
    read(`${"|".repeat(10_000)}\n${"|-".repeat(10_000)}\n${"|1\n".repeat(300_000)}`));
  test("brackets that close", () => read("[".repeat(1_000_000) + "]".repeat(1_000_000)));
  test("an ever deeper list", () =>
    read(Array.from({ length: 2000 }, (_, depth) => `${"  ".repeat(depth)}- a\n`).join("")));
});

test("a delta costs the same at the end of a long text as at the beginning", () => {
  const paragraph = "Some **words** with `code` and [links](https://example.org).\n\n";
  const time = (length: number) => {
    const segmenter = new Segmenter();
    let text = paragraph.repeat(length);
    segmenter.split(text);
    const start = computingMs();
    for (let delta = 0; delta < 300; delta++) {
      text += "word ";
      parseMarkdown(segmenter.split(text).parts.at(-1) ?? "");
    }
    return computingMs() - start;
  };
  time(10);
  expect(time(1500)).toBeLessThan(10 * time(10) + 100);
});
