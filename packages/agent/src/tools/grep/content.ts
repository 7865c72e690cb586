import type { Match } from "./text.ts";

/** How matching lines are printed. */
export interface ContentOptions {
  readonly before: number;
  readonly after: number;
  readonly numbers: boolean;
  readonly onlyMatching: boolean;
}

const MAX_LINE_CHARACTERS = 500;

/** Prints the matches in a file as grep does: `path:line:text`, `path-line-text` for lines around them, `--` between groups. */
export function* contentLines(
  path: string,
  lines: readonly string[],
  matches: readonly Match[],
  options: ContentOptions,
): Generator<string> {
  const print = (mark: ":" | "-", index: number, text: string) =>
    `${path}${mark}${options.numbers ? `${index + 1}${mark}` : ""}${cut(text)}`;
  if (options.onlyMatching) {
    for (const { first, text } of matches) if (text !== "") yield print(":", first, text);
    return;
  }
  let next = 0;
  for (const [index, { first, last }] of matches.entries()) {
    const start = Math.max(next, first - options.before);
    const following = matches[index + 1]?.first ?? lines.length;
    const end = Math.min(last + options.after, following - 1);
    if (start > next && index > 0 && options.before + options.after > 0) yield "--";
    for (let at = start; at <= end; at++) {
      yield print(at >= first && at <= last ? ":" : "-", at, lines[at] ?? "");
    }
    next = Math.max(next, end + 1);
  }
}

function cut(line: string): string {
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  return `${line.slice(0, MAX_LINE_CHARACTERS)} [${line.length - MAX_LINE_CHARACTERS} more characters]`;
}
