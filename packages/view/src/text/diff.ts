/** A line of a diff. */
export interface DiffLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
  /** The line number in the new text, or in the old text for a removed line; undefined if unknown. */
  readonly number: number | undefined;
}

/** Beyond this many pairs of lines, everything is shown as replaced, because comparing them would take too long. */
const MAX_PAIRS = 4_000_000;

/** The line-by-line difference between two texts. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const areWhole = [before, after].every((text) => text === "" || text.endsWith("\n"));
  const [oldLines, newLines] = [linesOf(before, areWhole), linesOf(after, areWhole)];
  let head = 0;
  while (head < oldLines.length && head < newLines.length && oldLines[head] === newLines[head]) head++;
  let tail = 0;
  while (
    tail < oldLines.length - head &&
    tail < newLines.length - head &&
    oldLines[oldLines.length - 1 - tail] === newLines[newLines.length - 1 - tail]
  )
    tail++;
  const middle = middleOf(
    oldLines.slice(head, oldLines.length - tail),
    newLines.slice(head, newLines.length - tail),
  );
  const lines: readonly Signed[] = [
    ...oldLines.slice(0, head).map((text) => [" ", text] as const),
    ...middle,
    ...oldLines.slice(oldLines.length - tail).map((text) => [" ", text] as const),
  ];
  return lines.map(([sign, text]) => ({ sign, text, number: undefined }));
}

/** The lines of a text. A final newline does not start another line, unless only one of the texts ends with one. */
function linesOf(text: string, isWhole: boolean): readonly string[] {
  if (text === "") return [];
  return (isWhole ? text.slice(0, -1) : text).split("\n");
}

type Signed = readonly [DiffLine["sign"], string];

/** Adds line numbers to the lines of a hunk. */
export function numbered(lines: readonly Signed[], oldStart: number, newStart: number): readonly DiffLine[] {
  let [oldAt, newAt] = [oldStart, newStart];
  return lines.map(([sign, text]) => {
    const number = sign === "-" ? oldAt : newAt;
    if (sign !== "+") oldAt++;
    if (sign !== "-") newAt++;
    return { sign, text, number };
  });
}

/** Keeps the longest common subsequence of lines; the others are removed or added. */
function middleOf(oldLines: readonly string[], newLines: readonly string[]): readonly Signed[] {
  const replaced: Signed[] = [
    ...oldLines.map((text) => ["-", text] as const),
    ...newLines.map((text) => ["+", text] as const),
  ];
  if (oldLines.length === 0 || newLines.length === 0 || oldLines.length * newLines.length > MAX_PAIRS)
    return replaced;
  const width = newLines.length + 1;
  const common = new Uint32Array((oldLines.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = oldLines.length - 1; i >= 0; i--)
    for (let j = newLines.length - 1; j >= 0; j--)
      common[i * width + j] =
        oldLines[i] === newLines[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: Signed[] = [];
  let [i, j] = [0, 0];
  while (i < oldLines.length || j < newLines.length) {
    if (i < oldLines.length && j < newLines.length && oldLines[i] === newLines[j]) {
      lines.push([" ", oldLines[i] ?? ""]);
      i++;
      j++;
    } else if (i < oldLines.length && (j >= newLines.length || at(i + 1, j) >= at(i, j + 1)))
      lines.push(["-", oldLines[i++] ?? ""]);
    else lines.push(["+", newLines[j++] ?? ""]);
  }
  return lines;
}
