import type { DiffLine } from "@agentwire/view/text";

/** A row of two columns: what was, and what is. */
export interface Pair {
  readonly before: DiffLine | undefined;
  readonly after: DiffLine | undefined;
}

/** The lines of a hunk in two columns: what was removed stands beside what came in its place. */
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
