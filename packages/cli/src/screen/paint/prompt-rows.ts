import { charsOf, widthOf } from "../../terminal/width.ts";
import type { Editor } from "../model/editor.ts";
import type { ScreenState } from "../model/state.ts";
import { both, LOOK, type Row, span } from "./span.ts";
import { visualEdit } from "./text-order.ts";

/** A position on the screen. */
export interface Cursor {
  readonly row: number;
  readonly column: number;
}

export interface Painted {
  readonly rows: readonly Row[];
  readonly cursor: Cursor | undefined;
}

/** The prompt between two lines. */
export function promptRows(state: ScreenState, columns: number, max: number): Painted {
  const { editor, pictures, answering, picker } = state;
  const line: Row = [span("─".repeat(columns), LOOK.dim)];
  const attached = pictures.map((_, index) => span(`[image ${index + 1}] `, LOOK.magenta));
  const hasKeys = !answering?.hasFocus && !(picker && picker.kind !== "commands" && picker.kind !== "files");
  if (editor.text === "" && attached.length === 0) {
    const hint = answering
      ? "Tab goes back to the question"
      : "Ask, or type / for commands, @ for files, ? for keys";
    const row = [span("› ", both(LOOK.bold, LOOK.cyan)), span(hasKeys ? hint : "", LOOK.dim)];
    return { rows: [line, row, line], cursor: hasKeys ? { row: 1, column: 2 } : undefined };
  }
  const text = editorRows(editor, columns - 2, max);
  const rows = text.rows.map((row, index) => [
    span(index === 0 ? "› " : "  ", both(LOOK.bold, LOOK.cyan)),
    ...row,
  ]);
  const head = attached.length > 0 ? [[span("  "), ...attached]] : [];
  return {
    rows: [line, ...head, ...rows, line],
    cursor: hasKeys ? { row: 1 + head.length + text.cursor.row, column: 2 + text.cursor.column } : undefined,
  };
}

/** A text being edited; of a long one, the part around the cursor. */
export function editorRows(
  { text, at }: Editor,
  columns: number,
  max: number,
): { readonly rows: readonly Row[]; readonly cursor: Cursor } {
  const rows: string[] = [];
  let cursor = { row: 0, index: 0 };
  let place = 0;
  for (const line of text.split("\n")) {
    let row = "";
    let width = 0;
    const mark = () => {
      if (place <= at) cursor = { row: rows.length, index: row.length };
    };
    for (const char of charsOf(line)) {
      const shown = char === "\t" ? "  " : char;
      const wide = widthOf(shown);
      if (width + wide > columns - 1) {
        rows.push(row);
        [row, width] = ["", 0];
      }
      mark();
      row += shown;
      width += wide;
      place += char.length;
    }
    mark();
    place++;
    rows.push(row);
  }
  const from = Math.max(0, Math.min(cursor.row - max + 1 + 1, rows.length - max));
  const start = cursor.row < from ? cursor.row : from;
  const { column } = visualEdit(rows[cursor.row] ?? "", cursor.index);
  return {
    rows: rows.slice(start, start + max).map((row) => [span(visualEdit(row, 0).text)]),
    cursor: { row: cursor.row - start, column },
  };
}
