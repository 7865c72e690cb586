import type { Cursor } from "./paint/prompt-rows.ts";

/** The terminal to draw on. */
export interface Device {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

// Synchronized output: terminals that support it show everything in between at once; others ignore it.
const BEGIN = "\x1b[?2026h";
const END = "\x1b[?2026l";
const CLEAR_LINE = "\x1b[K";
const CLEAR_BELOW = "\x1b[J";
const HOME = "\x1b[H";
const HIDE = "\x1b[?25l";
const SHOW = "\x1b[?25h";

/**
 * Draws the live part of a screen below the terminal's own history. Finished rows are written once and then belong to the terminal,
 * including scrolling and copying; of the live part, only changed rows are rewritten.
 */
export class TerminalWriter {
  readonly #device: Device;
  /** The rows of the live part on the screen. */
  #shown: readonly string[] = [];
  /** The index of the row with the cursor. */
  #at = 0;

  constructor(device: Device) {
    this.#device = device;
  }

  /** Adds rows to the terminal's history and shows the live part below them. */
  draw(finished: readonly string[], rows: readonly string[], cursor: Cursor | undefined): void {
    const above = `${CLEAR_BELOW}${finished.map((row) => `${row}\r\n`).join("")}`;
    this.#draw(`\r${up(this.#at)}${finished.length > 0 ? above : ""}`, finished.length > 0, rows, cursor);
  }

  /**
   * Redraws everything visible from the top: the end of the finished rows, and the live part. After a change of width, terminals rewrap
   * rows in different ways, some before they report the change, so the position of the live part is no longer known.
   */
  redraw(finished: readonly string[], rows: readonly string[], cursor: Cursor | undefined): void {
    const room = Math.max(0, (this.#device.rows || 24) - rows.length);
    const seen = room > 0 ? finished.slice(-room) : [];
    // Row by row: some terminals move a screen that is cleared at once into their history.
    this.#draw(`${HOME}${seen.map((row) => `${row}${CLEAR_LINE}\r\n`).join("")}`, true, rows, cursor);
  }

  #draw(above: string, isAnew: boolean, rows: readonly string[], cursor: Cursor | undefined): void {
    let out = above;
    if (isAnew) {
      out += `${rows.join(`${CLEAR_LINE}\r\n`)}${CLEAR_BELOW}`;
      this.#at = Math.max(0, rows.length - 1);
    } else out += this.#changes(rows);
    const target = cursor ?? { row: Math.max(0, rows.length - 1), column: 0 };
    out += `${move(target.row - this.#at)}\r${target.column > 0 ? `\x1b[${target.column}C` : ""}`;
    this.#at = target.row;
    this.#shown = rows;
    this.#device.write(`${BEGIN}${HIDE}${out}${cursor ? SHOW : ""}${END}`);
  }

  /** Removes the live part; finished rows stay. */
  clear(): void {
    this.#device.write(`\r${up(this.#at)}${CLEAR_BELOW}${SHOW}`);
    this.forget();
  }

  /** Writes a sequence that uses the cursor's row and returns to it; the next frame redraws the row. */
  interject(text: string): void {
    this.#device.write(text);
    this.#shown = this.#shown.map((row, index) => (index === this.#at ? "" : row));
  }

  /** Forgets the live part, which has scrolled away or is on another screen: the next one is drawn at the cursor. */
  forget(): void {
    this.#shown = [];
    this.#at = 0;
  }

  /** The output that updates the live part, starting at its first row and skipping unchanged rows. */
  #changes(rows: readonly string[]): string {
    let out = "";
    let at = 0;
    for (const [index, row] of rows.entries()) {
      if (row === this.#shown[index]) continue;
      // A new row is added with a line break.
      if (index < this.#shown.length || index === 0) out += move(index - at);
      else out += `${move(index - 1 - at)}\r\n`;
      out += `\r${row}${CLEAR_LINE}`;
      at = index;
    }
    if (rows.length < this.#shown.length) {
      out += `${move(rows.length - at)}\r${CLEAR_BELOW}`;
      at = rows.length;
    }
    this.#at = at;
    return out;
  }
}

const up = (rows: number) => (rows > 0 ? `\x1b[${rows}A` : "");
const move = (by: number) => (by > 0 ? `\x1b[${by}B` : up(-by));
