import type { Output } from "../output.ts";
import { rowsOf, widthOf } from "./width.ts";

/** The row below the text while the user is asked for a line or a key. */
export interface Footer {
  readonly label: string;
  readonly text: string;
  /** The cursor position in the text. */
  readonly at: number;
}

/** The terminal to draw on. */
export interface ScreenDevice {
  readonly columns?: number;
  write(text: string): unknown;
}

/** How much of an endless line is kept: earlier text is no longer redrawn. */
const MAX_TAIL = 4000;
const CLEAR_BELOW = "\x1b[J";
const up = (rows: number) => (rows > 0 ? `\x1b[${rows}A` : "");

/**
 * Scrolling text with a fixed footer below. Finished lines are written once and then belong to the terminal, including wrapping and
 * copying; only the unfinished line and the footer are redrawn.
 */
export class Screen implements Output {
  readonly #device: ScreenDevice;
  /** The unfinished line, or the end of it. */
  #tail = "";
  #isInLine = false;
  #footer: Footer | undefined;
  /** How many redrawn rows are above the cursor. */
  #rowsAbove = 0;

  constructor(device: ScreenDevice) {
    this.#device = device;
  }

  get isInLine(): boolean {
    return this.#isInLine;
  }

  /** Adds text at the end. */
  write(text: string): void {
    if (text === "") return;
    this.#isInLine = !text.endsWith("\n");
    const broken = text.lastIndexOf("\n") + 1;
    const finished = broken > 0 ? this.#tail + text.slice(0, broken) : "";
    const tail = broken > 0 ? text.slice(broken) : this.#tail + text;
    if (!this.#footer) this.#device.write(text);
    else this.#device.write(`${this.#erased()}${finished}${this.#drawn(tail, this.#footer)}`);
    this.#tail = tail.length > MAX_TAIL && !this.#footer ? "" : tail;
  }

  /** Shows or removes the footer. */
  show(footer: Footer | undefined): void {
    const erased = this.#footer ? this.#erased() : this.#leaveTail();
    this.#footer = footer;
    this.#device.write(footer ? `${erased}${this.#drawn(this.#tail, footer)}` : `${erased}${this.#tail}`);
  }

  get #columns(): number {
    return Math.max(20, this.#device.columns ?? 80);
  }

  /** Moves from the end of the written tail to its beginning and clears it. */
  #leaveTail(): string {
    return `\r${up(rowsOf(this.#tail, this.#columns) - 1)}${CLEAR_BELOW}`;
  }

  #erased(): string {
    return `\r${up(this.#rowsAbove)}${CLEAR_BELOW}`;
  }

  #drawn(tail: string, footer: Footer): string {
    const columns = this.#columns;
    this.#rowsAbove = tail === "" ? 0 : rowsOf(tail, columns);
    const { row, cursor } = fitted(footer, columns);
    return `${tail}${tail === "" ? "" : "\n"}${row}\r${cursor > 0 ? `\x1b[${cursor}C` : ""}`;
  }
}

/** The minimum columns for the text, however long the label is. */
const ROOM = 8;

/** Fits a footer into one row; of a longer text, shows the part around the cursor. */
function fitted(
  { label, text, at }: Footer,
  columns: number,
): { readonly row: string; readonly cursor: number } {
  const head = widthOf(label) > columns - ROOM ? `${label.slice(0, columns - ROOM - 2)}… ` : label;
  const room = columns - widthOf(head) - 1;
  const visible = text.replaceAll("\n", "⏎").replaceAll("\t", " ");
  let start = 0;
  while (start < at && widthOf(visible.slice(start, at)) >= room) start += Math.ceil(room / 4);
  let end = start;
  while (end < visible.length && widthOf(visible.slice(start, end + 1)) <= room) end++;
  return {
    row: `${head}${visible.slice(start, end)}`,
    cursor: widthOf(head) + widthOf(visible.slice(start, at)),
  };
}
