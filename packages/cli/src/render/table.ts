import { cutTo, widthOf } from "../terminal/width.ts";

/** Aligns rows in columns and cuts lines to the given width. Newlines in cells become spaces. */
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
