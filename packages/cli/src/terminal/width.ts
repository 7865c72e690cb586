import { eastAsianWidth } from "get-east-asian-width";

/** Characters that take none: marks on others, joiners. */
const NONE = /^(?:\p{Mn}|\p{Me}|\p{Cf}|\p{Variation_Selector})$/u;
const ESCAPES = /\p{Cc}\[[0-9;?]*[A-Za-z]/gu;
const TAB = 8;

/** Most text has one column for each character, and is asked for often. */
const ASCII = /^[ -~]*$/;

const widthOfChar = (char: string) =>
  char >= " " && char <= "~" ? 1 : NONE.test(char) ? 0 : eastAsianWidth(char.codePointAt(0) ?? 0);

/** How many columns a text takes that has no line break. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const char of text.replace(ESCAPES, ""))
    width += char === "\t" ? TAB - (width % TAB) : widthOfChar(char);
  return width;
}

/** A line without escapes, cut where it would take more columns than there are. */
export function cutTo(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line;
  let cut = "";
  for (const char of line) {
    if (widthOf(`${cut}${char}`) > columns - 1) break;
    cut += char;
  }
  return `${cut}…`;
}

/** How many rows a line takes on a terminal of so many columns. */
export function rowsOf(line: string, columns: number): number {
  let rows = 1;
  let column = 0;
  for (const char of line.replace(ESCAPES, "")) {
    const width = char === "\t" ? TAB - (column % TAB) : widthOfChar(char);
    if (column + width > columns) {
      rows++;
      column = 0;
    }
    column += width;
  }
  return rows;
}
