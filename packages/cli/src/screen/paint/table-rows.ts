import type { Block } from "@agentwire/view/markdown";
import { inlineSpans } from "./inline-spans.ts";
import { both, LOOK, type Row, rowWidth, type Span, span, wrap } from "./span.ts";

type Table = Extract<Block, { type: "table" }>;

const GAP = 3;
const MIN_WIDTH = 4;

/** A table with a line below its header; cells that don't fit are wrapped. */
export function tableRows({ head, rows, aligned }: Table, columns: number): Row[] {
  const cells = [head, ...rows].map((row, index) =>
    row.map((cell) => inlineSpans(cell, index === 0 ? LOOK.bold : "").map(inOneLine)),
  );
  const widths = fitting(
    head.map((_, column) => Math.max(1, ...cells.map((row) => rowWidth(row[column] ?? [])))),
    columns,
  );
  return cells.flatMap((row, index) => {
    const broken = widths.map((width, column) => wrap(row[column] ?? [], { columns: width }));
    const height = Math.max(1, ...broken.map(({ length }) => length));
    const painted = Array.from({ length: height }, (_, line) =>
      widths.flatMap((width, column) => [
        ...(column > 0 ? [span(" │ ", LOOK.dim)] : []),
        ...padded(broken[column]?.[line] ?? [], width, aligned[column] === "right"),
      ]),
    );
    const under = widths.map((width) => "─".repeat(width)).join("─┼─");
    return index === 0 ? [...painted, [span(under, LOOK.dim)]] : painted;
  });
}

const inOneLine = ({ text, style }: Span) => span(text.replaceAll("\n", " "), both(style, ""));

function padded(row: Row, width: number, isRight: boolean): Row {
  const space = span(" ".repeat(Math.max(0, width - rowWidth(row))));
  return isRight ? [space, ...row] : [...row, space];
}

/** Shrinks the widest column until all columns fit. */
function fitting(wanted: readonly number[], columns: number): readonly number[] {
  const widths = [...wanted];
  const room = Math.max(columns - GAP * (widths.length - 1), MIN_WIDTH * widths.length);
  for (let over = widths.reduce((sum, width) => sum + width, 0) - room; over > 0; over--) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = Math.max(1, (widths[widest] ?? 1) - 1);
  }
  return widths;
}
