import { expect, test } from "vitest";
import { parseAnsi } from "../../src/text/ansi.ts";

const ESC = "\u001b";

test.each([
  ["plain", [["plain", ""]]],
  [
    `${ESC}[31mred${ESC}[0m and ${ESC}[1;32mbold green${ESC}[22m green`,
    [
      ["red", "color-1"],
      [" and ", ""],
      ["bold green", "bold color-2"],
      [" green", "color-2"],
    ],
  ],
  [
    `${ESC}[91mbright${ESC}[39m not`,
    [
      ["bright", "color-9"],
      [" not", ""],
    ],
  ],
  [
    `${ESC}[38;5;4mindexed${ESC}[38;2;1;2;3mtrue${ESC}[m end`,
    [
      ["indexed", "color-4"],
      ["true", ""],
      [" end", ""],
    ],
  ],
  [
    `${ESC}[2K${ESC}[1Gmoved${ESC}]0;title\u0007 and ${ESC}]8;;https://x${ESC}\\linked`,
    [
      ["moved", ""],
      [" and ", ""],
      ["linked", ""],
    ],
  ],
  ["10 %\r50 %\r100 %\ndone\r\nnext", [["100 %\ndone\nnext", ""]]],
  ["bell\u0007 and tab\t", [["bell and tab\t", ""]]],
] as const)("%j is parsed as a terminal would show it", (output, expected) => {
  expect(parseAnsi(output).map(({ text, style }) => [text, style])).toEqual(expected);
});

test("output with many unterminated sequences or carriage returns is parsed in linear time", () => {
  const began = performance.now();
  parseAnsi(`${ESC}]`.repeat(100_000));
  parseAnsi(`${ESC}[`.repeat(100_000));
  parseAnsi("\r".repeat(200_000));
  parseAnsi(`a\r`.repeat(100_000));
  expect(performance.now() - began).toBeLessThan(3000);
});
