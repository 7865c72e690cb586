/** How many lines a change adds and removes. */
export interface ChangedLines {
  readonly insertions: number;
  readonly deletions: number;
}

/** Used for a change that cannot be counted in lines. */
export const NO_LINES: ChangedLines = { insertions: 0, deletions: 0 };

/** Exact counting takes longer the more lines differ; after this time, every line counts as changed. */
const MAX_DIFF_MS = 200;

/** Counts the lines that differ between two contents; binary content counts as none. */
export async function changedLines(from: Buffer, to: Buffer): Promise<ChangedLines> {
  if (from.includes(0) || to.includes(0)) return NO_LINES;
  const { diffLines } = await import("diff");
  const before = from.toString("utf8");
  const after = to.toString("utf8");
  const changes = diffLines(before, after, { timeout: MAX_DIFF_MS });
  if (!changes) return { insertions: linesIn(after), deletions: linesIn(before) };
  return {
    insertions: changes.reduce((sum, { added, count }) => sum + (added ? count : 0), 0),
    deletions: changes.reduce((sum, { removed, count }) => sum + (removed ? count : 0), 0),
  };
}

const linesIn = (text: string) => text.split("\n").length - (text.endsWith("\n") || text === "" ? 1 : 0);
