import {
  editMade,
  editOf,
  type FileEdit,
  parseInput,
  summaryOf,
  textField,
  withoutErrorTags,
} from "@agentwire/view/text";
import type { CallItem } from "@agentwire/view/timeline";
import { oneLine } from "../../render/plain.ts";
import { changeWords, diffRows } from "./diff-rows.ts";
import { markdownRows } from "./markdown-rows.ts";
import { LOOK, linesOf, type Row, type Span, shown, span, wrap } from "./span.ts";

/** How much of an output is shown until it is expanded. */
const OUTPUT_ROWS = 5;
const DIFF_ROWS = 24;
const LIVE_ROWS_EXPANDED = 20;

/** Calls that are shown elsewhere on the screen. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(["TodoWrite", "AskUserQuestion"]);

/** How to paint a call. */
interface Where {
  readonly columns: number;
  readonly isExpanded: boolean;
  readonly cwd: string;
}

/** A call in one line: its tool and a summary of its input. */
export function callTitle({ name, inputJson, result }: CallItem, { columns, cwd }: Where): Span[] {
  const input = parseInput(inputJson);
  const edit = changeOf(name, inputJson, result?.structuredJson ?? "");
  const about = oneLine(summaryOf(input).replaceAll(`${cwd}/`, ""), Math.max(20, columns * 2 - 20));
  return [
    span(shown(name), LOOK.bold),
    ...(about === "" ? [] : [span(` ${about}`)]),
    ...(edit ? [span(` ${changeWords(edit)}`, LOOK.dim)] : []),
  ];
}

/** The change that a call made, else the one it would make. */
function changeOf(name: string, inputJson: string, structuredJson: string): FileEdit | undefined {
  return editMade(structuredJson) ?? editOf(name, parseInput(inputJson));
}

/** The result of a call, or what it is about to do. */
export function callBody(
  { name, inputJson, result, output, question }: CallItem,
  { columns, isExpanded }: Where,
): Row[] {
  if (SHOWN_ELSEWHERE.has(name)) return [];
  const edit = changeOf(name, inputJson, result?.structuredJson ?? "");
  // An open question already shows the change.
  if (edit && !result?.isError)
    return result || !question ? limited(diffRows(edit, columns), DIFF_ROWS, isExpanded) : [];
  if (name === "ExitPlanMode" && result && !result.isError)
    return limited(markdownRows(textField(parseInput(inputJson), "plan"), columns), DIFF_ROWS, isExpanded);
  if (!result) return printedRows(output, columns, isExpanded);
  const text = withoutErrorTags(result.text).replace(/\s+$/, "");
  if (text === "") return [];
  if (name === "Read" && !result?.isError && !isExpanded) {
    const count = text.split("\n").length;
    return [[span(`  ⎿ ${count} ${count === 1 ? "line" : "lines"}`, LOOK.dim)]];
  }
  return limited(outputRows(text, result.isError ? LOOK.red : LOOK.dim, columns), OUTPUT_ROWS, isExpanded);
}

/** The end of what a call has printed so far. */
function printedRows(output: string, columns: number, isExpanded: boolean): Row[] {
  if (output.trim() === "") return [];
  const rows = outputRows(output.replace(/\s+$/, ""), LOOK.dim, columns);
  return rows.slice(isExpanded ? -LIVE_ROWS_EXPANDED : -OUTPUT_ROWS);
}

function outputRows(text: string, look: string, columns: number): Row[] {
  return linesOf([span(shown(asPrinted(text)), look)]).flatMap((line, index) =>
    wrap(line, {
      columns,
      first: [span(index === 0 ? "  ⎿ " : "    ", LOOK.dim)],
      rest: [span("    ")],
      byWord: false,
    }),
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are terminal sequences.
const SEQUENCES = /\u001b(?:\[[\d;:?]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;

/** A program's output without terminal sequences; of a line that was overwritten, such as a progress bar, only the last state. */
const asPrinted = (text: string) =>
  text
    .replace(SEQUENCES, "")
    .replace(/\r+\n/g, "\n")
    .replace(/^.*\r(?=[^\n])/gm, "");

/** The first rows, and the number of hidden ones. */
export function limited(rows: readonly Row[], max: number, isWhole: boolean): Row[] {
  if (isWhole || rows.length <= max + 1) return [...rows];
  return [...rows.slice(0, max), [span(`    … ${rows.length - max} more rows (Ctrl-O)`, LOOK.dim)]];
}
