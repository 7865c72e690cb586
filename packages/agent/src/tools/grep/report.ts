import type { JsonObject } from "@agentwire/protocol";
import { optionalCount } from "../input-fields.ts";
import type { ToolOutcome } from "../tool.ts";

/** What Grep prints: matching lines, the files with matches, or the number of matches in each. */
export type GrepMode = "content" | "files_with_matches" | "count";

/** How many lines Grep returns by default. */
export const DEFAULT_LIMIT = 250;

/** One line of Grep's answer. */
export interface Row {
  readonly text: string;
  readonly file: string;
  /** How many matches it represents. */
  readonly matches: number;
}

/** The part of the answer that is shown. */
interface Page {
  readonly rows: readonly Row[];
  readonly offset: number;
  /** The requested number of lines, if there are more. */
  readonly limit: number | undefined;
}

const MAX_CHARACTERS = 256 * 1024;

/** Assembles the answer of Grep. `cut` tells that the search was stopped early. */
export function grepReport(
  mode: GrepMode,
  rows: readonly Row[],
  input: JsonObject,
  cut: "late" | "long" | undefined,
): ToolOutcome {
  const page = pageOf(rows, optionalCount(input, "offset") ?? 0, optionalCount(input, "head_limit"));
  const text = page.rows.map((row) => row.text).join("\n");
  const filenames = [...new Set(page.rows.map((row) => row.file).filter(Boolean))];
  const note = cut && `(The search was ended early, because it ${ENDED[cut]}: there may be more.)`;
  return {
    content: [shown(mode, page, rows), note].filter((part) => part !== undefined).join("\n"),
    data: {
      mode,
      numFiles: mode === "count" ? rows.length : filenames.length,
      filenames: mode === "files_with_matches" ? filenames : [],
      ...(mode !== "files_with_matches" && { content: text }),
      ...(mode === "content" && { numLines: page.rows.length }),
      ...(mode === "count" && { numMatches: total(rows) }),
      ...(page.limit !== undefined && { appliedLimit: page.limit }),
      ...(page.offset > 0 && { appliedOffset: page.offset }),
      ...(cut === "late" && { timedOut: true }),
    },
  };
}

const ENDED = { late: "took too long", long: "found too much" };

function shown(mode: GrepMode, page: Page, all: readonly Row[]): string {
  const text = page.rows.map((row) => row.text).join("\n");
  const range = rangeOf(page);
  switch (mode) {
    case "files_with_matches": {
      if (page.rows.length === 0) return all.length === 0 ? "No files found" : withRange(NOTHING_HERE, range);
      const count = `Found ${counted(page.rows.length, "file")}`;
      return `${count}${range === "" ? "" : ` ${range}`}\n${text}`;
    }
    case "count": {
      const sum = `Found ${counted(total(all), "total occurrence")} across ${counted(all.length, "file")}.`;
      const part = range === "" ? sum : `${sum} with pagination = ${range}`;
      return `${text || nothingOf(all)}\n\n${part}`;
    }
    case "content":
      return withRange(page.rows.length === 0 ? nothingOf(all) : text, range);
  }
}

const NOTHING_HERE = "No entries at this offset";

const nothingOf = (all: readonly Row[]) => (all.length === 0 ? "No matches found" : NOTHING_HERE);

const withRange = (text: string, range: string) =>
  range === "" ? text : `${text}\n\n[Showing results with pagination = ${range}]`;

function rangeOf({ limit, offset }: Page): string {
  return [
    ...(limit === undefined ? [] : [`limit: ${limit}`]),
    ...(offset > 0 ? [`offset: ${offset}`] : []),
  ].join(", ");
}

function pageOf(all: readonly Row[], offset: number, wanted: number | undefined): Page {
  const most = wanted === 0 ? Number.POSITIVE_INFINITY : (wanted ?? DEFAULT_LIMIT);
  const rows = fitting(all.slice(offset, offset + most));
  return { rows, offset, limit: offset + rows.length < all.length ? rows.length || undefined : undefined };
}

/** The first lines, as many as fit into the conversation. */
function fitting(rows: readonly Row[]): readonly Row[] {
  let characters = 0;
  const end = rows.findIndex(({ text }) => {
    characters += text.length + 1;
    return characters > MAX_CHARACTERS;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

const total = (rows: readonly Row[]) => rows.reduce((sum, { matches }) => sum + matches, 0);

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
