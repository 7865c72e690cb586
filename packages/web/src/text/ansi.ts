/** A piece of a program's output, with CSS classes for its terminal style. */
export interface Styled {
  readonly text: string;
  readonly style: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escape sequences contain them.
const SEQUENCE = /\u001b(?:\[([\d;:]*)([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed here, except tabs and newlines.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

const MARKS: ReadonlyMap<number, string> = new Map([
  [1, "bold"],
  [2, "faint"],
  [3, "italic"],
  [4, "underline"],
  [9, "struck"],
]);
/** The styles that each code resets. */
const ENDS: ReadonlyMap<number, readonly string[]> = new Map([
  [22, ["bold", "faint"]],
  [23, ["italic"]],
  [24, ["underline"]],
  [29, ["struck"]],
]);

/** Parses terminal output: colors and text attributes become styles; all other control sequences are dropped. */
export function parseAnsi(output: string): readonly Styled[] {
  const text = lastOfEachLine(output);
  if (!text.includes("\u001b")) return [{ text: text.replace(CONTROL, ""), style: "" }];
  const pieces: Styled[] = [];
  let style: ReadonlySet<string> = new Set();
  let from = 0;
  const push = (until: number) => {
    const plain = text.slice(from, until).replace(CONTROL, "");
    if (plain !== "") pieces.push({ text: plain, style: [...style].join(" ") });
  };
  for (const found of text.matchAll(SEQUENCE)) {
    push(found.index);
    from = found.index + found[0].length;
    if (found[2] === "m") style = styleAfter(style, found[1] ?? "");
  }
  push(text.length);
  return pieces;
}

/** Keeps only the last version of each line that was overwritten with carriage returns, as progress bars do. */
function lastOfEachLine(text: string): string {
  if (!text.includes("\r")) return text;
  const lines = text.split("\n").map((line) => {
    let end = line.length;
    while (line[end - 1] === "\r") end--;
    return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
  });
  return lines.join("\n");
}

function styleAfter(before: ReadonlySet<string>, parameters: string): ReadonlySet<string> {
  const style = new Set(before);
  const codes = parameters.split(/[;:]/).map(Number);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 0) style.clear();
    else if (code === 38 || code === 48) {
      // Extended colors have one more parameter (an index) or three (RGB); only the 16 basic colors are supported.
      if (code === 38) dropColors(style);
      const index = codes[at + 2] ?? 99;
      if (code === 38 && codes[at + 1] === 5 && index < 16) style.add(`color-${index}`);
      at += codes[at + 1] === 2 ? 4 : 2;
    } else if ((code >= 30 && code <= 37) || code === 39 || (code >= 90 && code <= 97)) {
      dropColors(style);
      if (code !== 39) style.add(`color-${code >= 90 ? code - 82 : code - 30}`);
    }
    const mark = MARKS.get(code);
    if (mark !== undefined) style.add(mark);
    for (const end of ENDS.get(code) ?? []) style.delete(end);
  }
  return style;
}

function dropColors(style: Set<string>): void {
  for (const each of style) if (each.startsWith("color-")) style.delete(each);
}
