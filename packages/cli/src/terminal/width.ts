/** Characters that take two columns: East Asian ones and most pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
/** Characters that take none: marks on others, joiners. */
const NONE = /^(?:\p{Mn}|\p{Me}|\p{Cf}|\p{Variation_Selector})$/u;
const ESCAPES = /\p{Cc}\[[0-9;?]*[A-Za-z]/gu;
const TAB = 8;

const widthOfChar = (char: string) => (NONE.test(char) ? 0 : WIDE.test(char) ? 2 : 1);

/** How many columns a text takes that has no line break. */
export function widthOf(text: string): number {
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
