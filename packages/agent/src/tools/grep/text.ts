/** What is searched for in a text. */
export interface TextSearch {
  /** With the flag `g`. */
  readonly regex: RegExp;
  /** Whether a match may go over several lines. */
  readonly multiline: boolean;
  /** Whether each match on a line counts, or only the line. */
  readonly everyMatch: boolean;
}

/** A match: the lines it is on, counted from 0, and what it is. */
export interface Match {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/** The lines of a text with plain line endings. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Yields the matches in a text, given with its lines. */
export function matchesIn(text: string, lines: readonly string[], search: TextSearch): Generator<Match> {
  return search.multiline ? acrossLines(text, search.regex) : lineByLine(lines, search);
}

function* lineByLine(lines: readonly string[], { regex, everyMatch }: TextSearch): Generator<Match> {
  for (const [index, line] of lines.entries()) {
    regex.lastIndex = 0;
    if (!regex.test(line)) continue;
    regex.lastIndex = 0;
    if (!everyMatch) yield { first: index, last: index, text: line };
    else for (const [text] of line.matchAll(regex)) yield { first: index, last: index, text };
  }
}

function* acrossLines(text: string, regex: RegExp): Generator<Match> {
  let line = 0;
  let start = 0;
  const lineAt = (position: number) => {
    for (let end = text.indexOf("\n", start); end !== -1 && end < position; end = text.indexOf("\n", start)) {
      line++;
      start = end + 1;
    }
    return line;
  };
  for (const match of text.matchAll(regex)) {
    const [found] = match;
    const first = lineAt(match.index);
    // A line break that ends a match is still on the match's last line.
    yield { first, last: lineAt(match.index + Math.max(0, found.length - 1)), text: found };
  }
}
