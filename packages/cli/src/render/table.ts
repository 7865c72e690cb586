import { cutTo, widthOf } from "../terminal/width.ts";

/** Rows in columns; the last one takes what room is left, where there is an end to it. No cell begins a line of its own. */
export function table(rows: readonly (readonly string[])[], columns = Number.POSITIVE_INFINITY): string {
  const flat = rows.map((row) => row.map((cell) => cell.replaceAll("\n", " ")));
  const widths = (flat[0] ?? []).map((_, index) => Math.max(...flat.map((row) => widthOf(row[index] ?? ""))));
  return flat
    .map((row) => {
      const line = row
        .map((cell, i) => cell + " ".repeat((widths[i] ?? 0) - widthOf(cell)))
        .join("  ")
        .trimEnd();
      return `${cutTo(line, columns)}\n`;
    })
    .join("");
}
