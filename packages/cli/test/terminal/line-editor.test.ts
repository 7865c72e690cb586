import { expect, test } from "vitest";
import { edit, type Key, lineOf } from "../../src/terminal/line-editor.ts";

const key = (name: string): Key => ({ name });
const ctrl = (name: string): Key => ({ name, ctrl: true });
const typed = (sequence: string): Key => ({ name: sequence, sequence });

test.each<[string, string, readonly Key[], string, number]>([
  ["letters", "", [typed("a"), typed("ß"), typed("😀")], "aß😀", 4],
  ["backspace", "ab", [key("backspace")], "a", 1],
  ["backspace over a surrogate pair", "a😀", [key("backspace")], "a", 1],
  ["in the middle", "ac", [key("left"), typed("b")], "abc", 2],
  ["home and delete", "abc", [key("home"), key("delete")], "bc", 0],
  ["Ctrl-W deletes a word", "npm run test", [ctrl("w")], "npm run ", 8],
  ["Ctrl-U deletes everything before", "abc", [ctrl("u")], "", 0],
  ["Ctrl-A Ctrl-K deletes everything after", "abc", [ctrl("a"), ctrl("k")], "", 0],
  ["keys without a character change nothing", "a", [key("f1"), { name: "tab", sequence: "\t" }], "a", 1],
])("%s", (_, before, keys, text, at) => {
  expect(keys.reduce(edit, lineOf(before))).toEqual({ text, at });
});
