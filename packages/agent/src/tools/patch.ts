/** A piece of a change, as in a unified diff. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

/** The change of a file, as hosts are told of it. */
export interface Change {
  readonly structuredPatch: readonly Hunk[];
  /** Null for a file that is new or too long to repeat. */
  readonly originalFile: string | null;
}

// Both texts of a change go on one line of output, and hosts limit how long a line may be.
const MAX_REPEATED_CHARACTERS = 256 * 1024;
const TIME_LIMIT_MS = 500;

/** Describes the change from one text to another. */
export async function describeChange(before: string | null, after: string): Promise<Change> {
  if (before === null) return { structuredPatch: [], originalFile: null };
  return { structuredPatch: await hunks(before, after), originalFile: repeatable(before) };
}

/** A file's text for the host; null if it is too long to repeat. */
export function repeatable(text: string): string | null {
  return text.length > MAX_REPEATED_CHARACTERS ? null : text;
}

/** The lines in which two texts differ; none if finding them would take too long. */
async function hunks(before: string, after: string): Promise<readonly Hunk[]> {
  const { structuredPatch } = await import("diff");
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: 3,
    timeout: TIME_LIMIT_MS,
  });
  return (patch?.hunks ?? []).map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    oldStart,
    oldLines,
    newStart,
    newLines,
    lines,
  }));
}
