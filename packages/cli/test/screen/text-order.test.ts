import { afterAll, beforeAll, expect, test } from "vitest";
import { editorRows } from "../../src/screen/paint/prompt-rows.ts";
import { LOOK, printRow, type Row, span, wrap } from "../../src/screen/paint/span.ts";
import {
  isOrderingText,
  loadTextOrder,
  needsTextOrder,
  ordererFor,
  orderText,
} from "../../src/screen/paint/text-order.ts";

beforeAll(async () => {
  orderText("screen");
  await loadTextOrder();
});

afterAll(() => orderText("terminal"));

const printed = (rows: readonly Row[]) => rows.map((row) => printRow(row, false));
const seen = (text: string, columns = 40) => printed(wrap([span(text)], { columns, first: [span("› ")] }));

test.each([
  // As written and as displayed: the first letter sets the base direction.
  ["hello שלום world", "hello םולש world"],
  ["שלום hello!", "!hello םולש"],
  ["קובץ (main.ts) מוכן", "ןכומ (main.ts) ץבוק"],
  ["עלה 25 ₪ ב-2026", "2026-ב ₪ 25 הלע"],
  ["the word مرحبا, twice", "the word ابحرم, twice"],
  // A grapheme of several code points stays together.
  ["אב 👩‍💻 בּג", "גבּ 👩‍💻 בא"],
  ["nothing of it here", "nothing of it here"],
])("%s is displayed as %s after the mark", (written, wanted) => {
  expect(seen(written)).toEqual([`› ${wanted}`]);
});

test("a long line is ordered row by row with its styles, and code stays as written", () => {
  expect(seen("אחת שתים שלוש ארבע", 12)).toEqual(["› םיתש תחא", "› עברא שולש"]);
  const bold = wrap([span("אב ", ""), span("גד", LOOK.bold)], { columns: 20 });
  expect(bold).toHaveLength(1);
  expect(printRow(bold[0] ?? [], true)).toMatch(/^\p{Cc}\[1mדג\p{Cc}\[0m בא$/u);
  const code = "say('שלום')";
  expect(printed(wrap([span(code)], { columns: 40, byWord: false }))).toEqual([code]);
});

test("the cursor is at its character, or where the text continues", () => {
  const at = (text: string, place: number) => editorRows({ text, at: place }, 30, 5);
  expect(printed(at("שלום", 4).rows)).toEqual(["םולש"]);
  expect([0, 1, 3, 4].map((place) => at("שלום", place).cursor.column)).toEqual([3, 2, 0, 0]);
  expect([3, 4, 7, 8].map((place) => at("abc שלום", place).cursor.column)).toEqual([3, 7, 4, 8]);
  expect(at("plain\nשל", 6).cursor).toEqual({ row: 1, column: 1 });
});

test("ordering is left to terminals that do it themselves, unless overridden", () => {
  expect(ordererFor({ TERM: "xterm-256color" })).toBe("screen");
  expect(ordererFor({ TERM: "xterm-256color", VTE_VERSION: "7600" })).toBe("terminal");
  expect(ordererFor({ VTE_VERSION: "5202" })).toBe("screen");
  expect(ordererFor({ KONSOLE_VERSION: "230804" })).toBe("terminal");
  expect(ordererFor({ TERM_PROGRAM: "Apple_Terminal" })).toBe("terminal");
  expect(ordererFor({ VTE_VERSION: "7600", AGENTWIRE_BIDI: "screen" })).toBe("screen");
  expect(ordererFor({ AGENTWIRE_BIDI: "terminal" })).toBe("terminal");
  orderText("terminal");
  expect([seen("שלום"), needsTextOrder("שלום"), isOrderingText()]).toEqual([["› שלום"], false, false]);
  orderText("screen");
});
