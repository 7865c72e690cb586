import type { DiffLine, FileEdit } from "@agentwire/view/text";
import { LOOK, type Row, shown, span, wrap } from "./span.ts";

/** A file change: its lines with their signs and, if known, their numbers. */
export function diffRows({ hunks }: FileEdit, columns: number): Row[] {
  const digits = Math.max(0, ...hunks.flat().map(({ number }) => String(number ?? "").length));
  return hunks.flatMap((hunk, index) => [
    ...(index > 0 ? [[span("  ⋯", LOOK.dim)]] : []),
    ...hunk.flatMap((line) => lineRows(line, digits, columns)),
  ]);
}

/** Unchanged lines are shown only near changed ones. */
const LOOKS: Readonly<Record<DiffLine["sign"], string>> = { " ": "", "-": LOOK.red, "+": LOOK.green };

function lineRows({ sign, text, number }: DiffLine, digits: number, columns: number): Row[] {
  const numbered = digits === 0 ? "" : `${String(number ?? "").padStart(digits)} `;
  const first = [span(`  ${numbered}`, LOOK.dim), span(`${sign} `, LOOKS[sign])];
  const rest = [span(" ".repeat(numbered.length + 4))];
  return wrap([span(shown(text), LOOKS[sign])], { columns, first, rest, byWord: false });
}

/** The number of added and removed lines. */
export const changeWords = ({ added, removed }: FileEdit): string =>
  [added > 0 ? `+${added}` : "", removed > 0 ? `−${removed}` : ""].filter(Boolean).join(" ");
