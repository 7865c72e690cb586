import type { StructuredPatch } from "diff";
import { withoutEqualEnds } from "./equal-ends.ts";

/** A piece of a change, as in a unified diff. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

/** The change of a file, as reported to hosts. */
export interface Change {
  readonly structuredPatch: readonly Hunk[];
  /** Null for a file that is new or too long to repeat. */
  readonly originalFile: string | null;
}

// Both texts of a change are part of one output line, and hosts limit the length of lines.
const MAX_REPEATED_CHARACTERS = 256 * 1024;
/** How long computing a patch may block the event loop, and how long it may take in slices. */
const AT_ONCE_MS = 40;
const IN_STEPS_MS = 2000;
/** From this length on, the common start and end are left out first. */
const LONG_CHARACTERS = 64 * 1024;
/** Larger differences get no patch: nobody would read it. */
const MAX_COMPARED_CHARACTERS = 4 * 1024 * 1024;
const CONTEXT_LINES = 3;

/** Describes the change from one text to another. */
export async function describeChange(before: string | null, after: string): Promise<Change> {
  if (before === null) return { structuredPatch: [], originalFile: null };
  return { structuredPatch: await hunks(before, after), originalFile: repeatable(before) };
}

/** A file's text for the host; null if it is too long to repeat. */
export function repeatable(text: string): string | null {
  return text.length > MAX_REPEATED_CHARACTERS ? null : text;
}

/**
 * The lines in which two texts differ; none if finding them would take too long. In a long text, only the part that differs is
 * compared.
 */
async function hunks(before: string, after: string): Promise<readonly Hunk[]> {
  if (before === after) return [];
  const isLong = before.length + after.length > LONG_CHARACTERS;
  const { skipped, ...texts } = isLong
    ? withoutEqualEnds(before, after, CONTEXT_LINES)
    : { before, after, skipped: 0 };
  if (texts.before.length + texts.after.length > MAX_COMPARED_CHARACTERS) return [];
  const patch = await patchOf(texts.before, texts.after);
  return (patch?.hunks ?? []).map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    oldStart: oldStart + skipped,
    oldLines,
    newStart: newStart + skipped,
    newLines,
    lines,
  }));
}

async function patchOf(before: string, after: string): Promise<StructuredPatch | undefined> {
  const { structuredPatch } = await import("diff");
  const texts = ["", "", before, after, undefined, undefined] as const;
  const atOnce = structuredPatch(...texts, { context: CONTEXT_LINES, timeout: AT_ONCE_MS });
  if (atOnce) return atOnce;
  return new Promise((callback) => {
    structuredPatch(...texts, { context: CONTEXT_LINES, timeout: IN_STEPS_MS, callback });
  });
}
