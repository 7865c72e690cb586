import { widthOf } from "../terminal/width.ts";

/** Rows in columns; the last one takes what room is left, where there is an end to it. */
export function table(rows: readonly (readonly string[])[], columns = Number.POSITIVE_INFINITY): string {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => widthOf(row[index] ?? ""))));
  return rows
    .map((row) => {
      const line = row
        .map((cell, i) => cell + " ".repeat((widths[i] ?? 0) - widthOf(cell)))
        .join("  ")
        .trimEnd();
      return `${line.length > columns && widthOf(line) > columns ? `${line.slice(0, columns - 1)}…` : line}\n`;
    })
    .join("");
}
