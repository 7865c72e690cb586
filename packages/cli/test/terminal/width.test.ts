import { afterEach, expect, test } from "vitest";
import { charsOf, cutTo, rowsOf, useWidths, widthOf } from "../../src/terminal/width.ts";

const UNICODE = { joined: 2, toned: 2, drawn: 2, flag: 2 };
/** The widths reported by tmux 3.3, and by a terminal without support for joined emoji, such as xterm. */
const TMUX = { joined: 2, toned: 4, drawn: 1, flag: 2 };
const NONE = { joined: 4, toned: 4, drawn: 1, flag: 2 };

afterEach(() => useWidths(UNICODE));

const TABLE = [
  ["abc", 3, 3, 3],
  ["漢字", 4, 4, 4],
  ["e\u0301", 1, 1, 1],
  ["\u1112\u1161\u11ab", 2, 2, 2],
  ["नि", 2, 2, 2],
  ["👩\u200d💻", 2, 2, 4],
  ["👨\u200d👩\u200d👧", 2, 2, 6],
  ["🇩🇪", 2, 2, 2],
  ["👍🏽", 2, 4, 4],
  ["☝🏽", 2, 3, 3],
  ["1\ufe0f\u20e3", 2, 1, 1],
  ["❤\ufe0f", 2, 1, 1],
  ["🏳\ufe0f\u200d🌈", 2, 1, 3],
  ["🤦🏼\u200d♂\ufe0f", 2, 4, 5],
  ["🏴\u{e0067}\u{e0062}\u{e007f}", 2, 2, 2],
] as const;

test("an emoji of several code points is as wide as the terminal reports, or as in Unicode without a report", () => {
  for (const [index, widths] of [UNICODE, TMUX, NONE].entries()) {
    useWidths(widths);
    for (const [text, ...expected] of TABLE) expect(widthOf(text), text).toBe(expected[index]);
  }
});

test("no emoji is split or cut in the middle", () => {
  const family = "👨\u200d👩\u200d👧";
  expect([...charsOf(`a${family}b`)]).toEqual(["a", family, "b"]);
  expect(cutTo(family.repeat(3), 5)).toBe(`${family.repeat(2)}…`);
  expect(rowsOf(family.repeat(6), 5)).toBe(3);
});
