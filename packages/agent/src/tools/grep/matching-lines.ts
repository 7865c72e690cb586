import { sliceOver } from "../../event-loop.ts";
import type { Row } from "./report.ts";

/** How to show lines. */
export interface LineOptions {
  readonly withNumbers: boolean;
  /** Whether a single file was searched, so that its name is left out. */
  readonly isFile: boolean;
}

const BETWEEN_GROUPS = "--";
const NUMBERED = /^(\d+)([:-])(.*)$/s;

/**
 * Reads ripgrep's output of lines: the file's name, a zero byte, the number, a mark, the text. The order of files depends on
 * ripgrep's threads, so they are sorted by name: a request for the next page must get the same order.
 */
export async function matchingLines(output: string, options: LineOptions): Promise<readonly Row[]> {
  const files = new Map<string, Row[]>();
  let separated = false;
  let hasSeparators = false;
  for (const line of eachLine(output)) {
    const others = sliceOver();
    if (others) await others;
    if (line === BETWEEN_GROUPS) {
      separated = true;
      hasSeparators = true;
      continue;
    }
    if (line === "") continue;
    const row = rowOf(line, options);
    const rows = files.get(row.file) ?? [];
    if (separated && rows.length > 0) rows.push({ file: row.file, text: BETWEEN_GROUPS, matches: 0 });
    separated = false;
    rows.push(row);
    files.set(row.file, rows);
  }
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rows]) => rows);
  return sorted.flatMap((rows, index) =>
    hasSeparators && index > 0 ? [{ file: "", text: BETWEEN_GROUPS, matches: 0 }, ...rows] : rows,
  );
}

/** One at a time: there may be a million. */
export function* eachLine(output: string): Generator<string> {
  for (let start = 0; start < output.length; ) {
    const newline = output.indexOf("\n", start);
    const end = newline < 0 ? output.length : newline;
    yield output.slice(start, end);
    start = end + 1;
  }
}

function rowOf(line: string, { withNumbers, isFile }: LineOptions): Row {
  const end = line.indexOf("\0");
  const numbered = NUMBERED.exec(line.slice(end + 1));
  if (end === -1 || !numbered) return remark(line, isFile);
  const file = line.slice(0, end);
  const [, number, mark, ended = ""] = numbered;
  const text = ended.replace(/\r$/, "");
  const shown = withNumbers ? `${number}${mark}${text}` : text;
  return { file, text: isFile ? shown : `${file}${mark}${shown}`, matches: 1 };
}

/** What ripgrep prints about a file instead of its lines: that it is binary. */
function remark(line: string, isFile: boolean): Row {
  const [file = "", text = ""] = line.replace("\0", "").split(/: (?=binary file matches)/);
  return { file, text: isFile && text !== "" ? text : line.replace("\0", ""), matches: 1 };
}
