import type { JsonObject } from "@agentwire/protocol";
import { statsOf } from "../file-errors.ts";
import { isSet, optionalCount, optionalText, textField } from "../input-fields.ts";
import { failure } from "../outcome.ts";
import { absolutePath, shownPath } from "../paths.ts";
import type { ToolContext, ToolOutcome } from "../tool.ts";
import { timeLimit } from "../within-time.ts";
import { type ContentOptions, contentLines } from "./content.ts";
import { extensionsOf, knownTypes } from "./file-types.ts";
import { type Candidate, chosenFiles, loadCandidate } from "./files.ts";
import { compilePattern } from "./pattern.ts";
import { DEFAULT_LIMIT, type Entry, type GrepMode, grepReport, type Page } from "./report.ts";
import { linesOf, type Match, matchesIn, type TextSearch } from "./text.ts";

const MAX_ENTRIES = 20_000;
const MATCH_MS = 2000;
const SEARCH_MS = 20_000;

interface Wanted {
  readonly search: TextSearch;
  readonly mode: GrepMode;
  readonly content: ContentOptions;
  readonly page: Page;
  /** How many lines of the answer, or matches in a file, are enough to know. */
  readonly most: number;
}

/** The matches in one file. */
interface Found {
  readonly path: string;
  readonly mtimeMs: number;
  readonly lines: readonly string[];
  /** The first of them: as many as are wanted. */
  readonly matches: readonly Match[];
  readonly count: number;
}

/** Carries out a call of Grep. */
export async function search(input: JsonObject, { workspace, signal }: ToolContext): Promise<ToolOutcome> {
  const wanted = readInput(input);
  if (typeof wanted === "string") return failure(wanted);
  const [path, glob, type] = ["path", "glob", "type"].map((name) => optionalText(input, name));
  if (type !== undefined && !extensionsOf(type)) {
    return failure(
      `There is no file type "${type}". Known are: ${knownTypes().join(", ")}. Use glob for others.`,
    );
  }
  const root = absolutePath(path ?? ".", workspace);
  const stats = await statsOf(root);
  if (!stats) return failure(`${root} does not exist. The current folder is ${workspace.cwd}.`);
  if (!stats.isFile() && !stats.isDirectory()) return failure(`${root} is neither a file nor a folder.`);

  const limits = { until: AbortSignal.timeout(SEARCH_MS), signal, limited: timeLimit(MATCH_MS) };
  const { until } = limits;
  const entries: Entry[] = [];
  let tooLarge = 0;
  for await (const paths of stats.isFile() ? [[root]] : chosenFiles({ root, glob, type }, limits)) {
    signal.throwIfAborted();
    const candidates = await Promise.all(paths.map(loadCandidate));
    const found = limits.limited(() => candidates.flatMap((candidate) => searchIn(candidate, wanted)));
    if (!found.ended) return failure(TOO_SLOW);
    tooLarge += candidates.filter(({ kind }) => kind === "large").length;
    for (const file of found.value) addEntries(entries, file, shownPath(file.path, workspace), wanted);
    if (until.aborted || entries.length > wanted.most) break;
  }
  const notes = [
    ...(tooLarge > 0
      ? [`(Files over 10 MB that were not searched: ${tooLarge}. Use grep in Bash for those.)`]
      : []),
    ...(until.aborted ? ["(The search took too long and was ended early: there may be more matches.)"] : []),
  ];
  return grepReport(wanted.mode, entries, wanted.page, notes, until.aborted);
}

const TOO_SLOW =
  "The search was ended because the pattern takes too long to match. Use a simpler one, without repetitions inside repetitions.";

function readInput(input: JsonObject): Wanted | string {
  const multiline = isSet(input, "multiline");
  const pattern = textField(input, "pattern");
  const regex = compilePattern(pattern, { ignoreCase: isSet(input, "-i"), multiline });
  if (typeof regex === "string") return `The pattern is not a valid regular expression: ${regex}`;
  const mode = modeOf(optionalText(input, "output_mode"));
  const around = optionalCount(input, "-C") ?? optionalCount(input, "context") ?? 0;
  const onlyMatching = mode === "content" && isSet(input, "-o");
  const page = {
    offset: optionalCount(input, "offset") ?? 0,
    limit: optionalCount(input, "head_limit") ?? DEFAULT_LIMIT,
  };
  return {
    search: { regex, multiline, everyMatch: onlyMatching },
    mode,
    content: {
      before: optionalCount(input, "-B") ?? around,
      after: optionalCount(input, "-A") ?? around,
      numbers: input["-n"] !== false,
      onlyMatching,
    },
    page,
    most:
      mode === "content" && page.limit > 0 ? Math.min(MAX_ENTRIES, page.offset + page.limit) : MAX_ENTRIES,
  };
}

function modeOf(mode: string | undefined): GrepMode {
  return mode === "content" || mode === "count" ? mode : "files_with_matches";
}

function searchIn(candidate: Candidate, { search, mode, most }: Wanted): readonly Found[] {
  if (candidate.kind !== "text") return [];
  const { path, text, mtimeMs } = candidate;
  const lines = linesOf(text);
  const matches: Match[] = [];
  let count = 0;
  for (const match of matchesIn(text, lines, search)) {
    count++;
    if (mode === "content") matches.push(match);
    if (mode === "files_with_matches" || matches.length > most) break;
  }
  return count === 0 ? [] : [{ path, mtimeMs, lines, matches, count }];
}

function addEntries(entries: Entry[], found: Found, file: string, { mode, content, most }: Wanted): void {
  const { lines, matches, mtimeMs, count } = found;
  const add = (text: string) => entries.push({ text, file, mtimeMs, matches: count });
  if (mode === "files_with_matches") add(file);
  if (mode === "count") add(`${file}:${count}`);
  if (mode !== "content") return;
  const hasContext = !content.onlyMatching && content.before + content.after > 0;
  if (hasContext && entries.length > 0) add("--");
  for (const line of contentLines(file, lines, matches, content)) {
    if (entries.length > most) return;
    add(line);
  }
}
