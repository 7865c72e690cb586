/** A line of a change. */
export interface DiffLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
  /** The number of the line: in the new text, or in the old one for what goes; undefined where it is unknown. */
  readonly number: number | undefined;
}

/** Beyond this many pairs of lines everything is shown as replaced: finding out more would take too long. */
const MOST_PAIRS = 4_000_000;

/** How one text becomes another, line by line. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const areWhole = [before, after].every((text) => text === "" || text.endsWith("\n"));
  const [old, neu] = [linesOf(before, areWhole), linesOf(after, areWhole)];
  let head = 0;
  while (head < old.length && head < neu.length && old[head] === neu[head]) head++;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < neu.length - head &&
    old[old.length - 1 - tail] === neu[neu.length - 1 - tail]
  )
    tail++;
  const middle = middleOf(old.slice(head, old.length - tail), neu.slice(head, neu.length - tail));
  const lines: readonly Signed[] = [
    ...old.slice(0, head).map((text) => [" ", text] as const),
    ...middle,
    ...old.slice(old.length - tail).map((text) => [" ", text] as const),
  ];
  return lines.map(([sign, text]) => ({ sign, text, number: undefined }));
}

/** The lines of a text; the break that ends the last one begins no other, unless that is the difference. */
function linesOf(text: string, isWhole: boolean): readonly string[] {
  if (text === "") return [];
  return (isWhole ? text.slice(0, -1) : text).split("\n");
}

type Signed = readonly [DiffLine["sign"], string];

/** Gives lines the numbers that they have in their text. */
export function numbered(lines: readonly Signed[], oldStart: number, newStart: number): readonly DiffLine[] {
  let [oldAt, newAt] = [oldStart, newStart];
  return lines.map(([sign, text]) => {
    const number = sign === "-" ? oldAt : newAt;
    if (sign !== "+") oldAt++;
    if (sign !== "-") newAt++;
    return { sign, text, number };
  });
}

/** The longest common lines stay; the rest goes and comes. */
function middleOf(old: readonly string[], neu: readonly string[]): readonly Signed[] {
  const replaced: Signed[] = [
    ...old.map((text) => ["-", text] as const),
    ...neu.map((text) => ["+", text] as const),
  ];
  if (old.length === 0 || neu.length === 0 || old.length * neu.length > MOST_PAIRS) return replaced;
  const width = neu.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = neu.length - 1; j >= 0; j--)
      common[i * width + j] = old[i] === neu[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: Signed[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < neu.length) {
    if (i < old.length && j < neu.length && old[i] === neu[j]) {
      lines.push([" ", old[i] ?? ""]);
      i++;
      j++;
    } else if (i < old.length && (j >= neu.length || at(i + 1, j) >= at(i, j + 1)))
      lines.push(["-", old[i++] ?? ""]);
    else lines.push(["+", neu[j++] ?? ""]);
  }
  return lines;
}
