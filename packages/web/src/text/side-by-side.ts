import type { DiffLine } from "@agentwire/view/text";

/** A row of a two-column diff. */
export interface Pair {
  readonly before: DiffLine | undefined;
  readonly after: DiffLine | undefined;
}

/** Arranges the lines of a hunk in two columns, with removed lines next to the lines that replace them. */
export function sideBySide(lines: readonly DiffLine[]): readonly Pair[] {
  const rows: Pair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++)
      rows.push({ before: removed[at], after: added[at] });
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.sign === "-") removed.push(line);
    else if (line.sign === "+") added.push(line);
    else {
      flush();
      rows.push({ before: line, after: line });
    }
  }
  flush();
  return rows;
}
