import { cells, HEADS } from "./cells.mjs";

/** All figures as a table for a terminal. */
export function table(rows) {
  const lines = [HEADS, ...rows.map(cells)];
  const widths = HEADS.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const pad = (line) => line.map((cell, column) => cell.padEnd(widths[column])).join("  ");
  return `${lines.map((line) => `${pad(line).trimEnd()}\n`).join("")}\n${tally(rows)}\n`;
}

/** How many figures meet their targets, in a sentence. */
export function tally(rows) {
  const missing = rows.filter((row) => row.missing !== undefined).length;
  const passed = rows.filter((row) => row.pass).length;
  return `${passed} of ${rows.length} pass, ${rows.length - passed - missing} short, ${missing} missing`;
}
