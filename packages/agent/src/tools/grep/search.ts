import { stat } from "node:fs/promises";
import type { JsonObject } from "@agentwire/protocol";
import { sliceOver, sortInSlices } from "../../event-loop.ts";
import { statsOf } from "../file-errors.ts";
import { optionalText, textField } from "../input-fields.ts";
import { failure } from "../outcome.ts";
import { absolutePath, shownPath } from "../paths.ts";
import { runRipgrep } from "../ripgrep/ripgrep.ts";
import type { ToolContext, ToolOutcome } from "../tool.ts";
import { eachLine, matchingLines } from "./matching-lines.ts";
import { type GrepMode, grepReport, type Row } from "./report.ts";
import { modeOf, searchArguments } from "./search-arguments.ts";

/** Runs a call of Grep. */
export async function search(
  input: JsonObject,
  { workspace, signal, isClosed }: ToolContext,
): Promise<ToolOutcome> {
  textField(input, "pattern");
  const root = absolutePath(optionalText(input, "path") || ".", workspace);
  const stats = await statsOf(root);
  if (!stats)
    return failure(`Path does not exist: ${root}. Note: your current working directory is ${workspace.cwd}.`);
  if (!stats.isFile() && !stats.isDirectory()) return failure(`${root} is neither a file nor a folder.`);

  const mode = modeOf(input);
  // Without a path, ripgrep prints file names relative to its working directory.
  const place = root === workspace.cwd ? [] : ["--", shownPath(root, workspace)];
  const run = await runRipgrep([...searchArguments(input), ...place], workspace.cwd, signal);
  if (!run.ok) return failure(`ripgrep refused the search:\n${run.reason}`);
  const found = await rowsOf(mode, run.output, { input, cwd: workspace.cwd, isFile: stats.isFile() });
  // A search must not reveal the content of files that may not be read.
  const rows = isClosed ? await open(found, (file) => isClosed(absolutePath(file, workspace))) : found;
  return grepReport(mode, rows, input, run.cut);
}

async function open(rows: readonly Row[], isClosed: (file: string) => boolean): Promise<readonly Row[]> {
  const kept: Row[] = [];
  for (const row of rows) {
    if (!isClosed(row.file)) kept.push(row);
    const others = sliceOver();
    if (others) await others;
  }
  return kept;
}

interface Found {
  readonly input: JsonObject;
  readonly cwd: string;
  readonly isFile: boolean;
}

async function rowsOf(mode: GrepMode, output: string, found: Found): Promise<readonly Row[]> {
  switch (mode) {
    case "files_with_matches":
      return lastChangedFirst(output.split("\0").filter(Boolean), found.cwd);
    case "count":
      return counts(output);
    case "content":
      return matchingLines(output, { withNumbers: found.input["-n"] !== false, isFile: found.isFile });
  }
}

async function lastChangedFirst(files: readonly string[], cwd: string): Promise<readonly Row[]> {
  const dated: (Row & { readonly mtimeMs: number })[] = [];
  for (let start = 0; start < files.length; start += FILES_AT_ONCE) {
    const some = files.slice(start, start + FILES_AT_ONCE).map(async (file) => {
      const stats = await stat(absolutePath(file, { cwd, home: cwd })).catch(() => undefined);
      return { file, text: file, matches: 1, mtimeMs: stats?.mtimeMs ?? 0 };
    });
    dated.push(...(await Promise.all(some)));
  }
  return sortInSlices(dated, (a, b) => b.mtimeMs - a.mtimeMs || (a.file < b.file ? -1 : 1));
}

/** Files are processed in groups: a promise for each file of a large tree at once would block all sessions. */
const FILES_AT_ONCE = 64;

async function counts(output: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const line of eachLine(output)) {
    if (line === "") continue;
    const [file = "", count = "0"] = line.split("\0");
    rows.push({ file, text: `${file}:${count}`, matches: Number(count) });
    const others = sliceOver();
    if (others) await others;
  }
  return sortInSlices(rows, (a, b) => (a.file < b.file ? -1 : 1));
}
