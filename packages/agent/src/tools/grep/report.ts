import type { ToolOutcome } from "../tool.ts";

/** What Grep prints: matching lines, the files that have any, or how many each has. */
export type GrepMode = "content" | "files_with_matches" | "count";

/** How many lines Grep answers unless asked for more. */
export const DEFAULT_LIMIT = 250;

/** One line of Grep's answer. */
export interface Entry {
  readonly text: string;
  readonly file: string;
  /** How many matches it stands for. */
  readonly matches: number;
  readonly mtimeMs: number;
}

/** Which part of the answer is wanted. */
export interface Page {
  readonly offset: number;
  /** 0 for all. */
  readonly limit: number;
}

const MAX_CHARACTERS = 256 * 1024;

/** Puts together what Grep answers. */
export function grepReport(
  mode: GrepMode,
  entries: readonly Entry[],
  page: Page,
  notes: readonly string[],
  timedOut: boolean,
): ToolOutcome {
  const sorted = mode === "files_with_matches" ? entries.toSorted((a, b) => b.mtimeMs - a.mtimeMs) : entries;
  const shown = cut(sorted, page);
  const isCut = page.offset + shown.length < entries.length;
  const text = shown.map((entry) => entry.text).join("\n");
  const filenames = [...new Set(shown.map((entry) => entry.file))];
  const more = isCut ? [`(There is more: go on with offset ${page.offset + shown.length}.)`] : [];
  return {
    content: [text === "" ? "No matches found" : text, ...more, ...notes].join("\n"),
    data: {
      mode,
      numFiles: filenames.length,
      filenames,
      ...(mode !== "files_with_matches" && { content: text }),
      ...(mode === "content" && { numLines: shown.length }),
      ...(mode === "count" && { numMatches: shown.reduce((sum, entry) => sum + entry.matches, 0) }),
      ...(isCut && { appliedLimit: shown.length }),
      ...(page.offset > 0 && { appliedOffset: page.offset }),
      ...(timedOut && { timedOut }),
    },
  };
}

function cut(entries: readonly Entry[], { offset, limit }: Page): readonly Entry[] {
  const page = entries.slice(offset, limit === 0 ? undefined : offset + limit);
  let characters = 0;
  const end = page.findIndex((entry) => {
    characters += entry.text.length + 1;
    return characters > MAX_CHARACTERS;
  });
  return end === -1 ? page : page.slice(0, end);
}
