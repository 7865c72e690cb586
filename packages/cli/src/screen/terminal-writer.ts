import type { Cursor } from "./paint/prompt-rows.ts";

/** Where a screen is drawn. */
export interface Device {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

// What is between these two is shown at once by terminals that know them; others ignore them.
const BEGIN = "\x1b[?2026h";
const END = "\x1b[?2026l";
const CLEAR_LINE = "\x1b[K";
const CLEAR_BELOW = "\x1b[J";
const HOME = "\x1b[H";
const HIDE = "\x1b[?25l";
const SHOW = "\x1b[?25h";

/**
 * Draws the live part of a screen below the terminal's own history. Finished rows are written once and belong to the terminal, which
 * scrolls and copies them as it likes; of the live part only the rows that have changed are written again.
 */
export class TerminalWriter {
  readonly #device: Device;
  /** What is on the screen, from the first row of the live part. */
  #shown: readonly string[] = [];
  /** In which of these rows the cursor is. */
  #at = 0;

  constructor(device: Device) {
    this.#device = device;
  }

  /** Adds rows to the terminal's history, and shows the live part below them. */
  draw(finished: readonly string[], rows: readonly string[], cursor: Cursor | undefined): void {
    const above = `${CLEAR_BELOW}${finished.map((row) => `${row}\r\n`).join("")}`;
    this.#draw(`\r${up(this.#at)}${finished.length > 0 ? above : ""}`, finished.length > 0, rows, cursor);
  }

  /**
   * Draws everything that is seen, from the top: the end of what is finished, and the live part. A terminal of another width breaks its
   * rows anew, each in its own way and some of them before they say so: where the live part has begun is not known any more.
   */
  drawAnew(finished: readonly string[], rows: readonly string[], cursor: Cursor | undefined): void {
    const room = Math.max(0, (this.#device.rows || 24) - rows.length);
    const seen = room > 0 ? finished.slice(-room) : [];
    // Row by row: some terminals keep what is cleared all at once as history.
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

  /** Takes the live part away; what was finished stays. */
  clear(): void {
    this.#device.write(`\r${up(this.#at)}${CLEAR_BELOW}${SHOW}`);
    this.forget();
  }

  /** Writes what uses the row of the cursor for itself and comes back; the next frame draws it again. */
  interject(text: string): void {
    this.#device.write(text);
    this.#shown = this.#shown.map((row, index) => (index === this.#at ? "" : row));
  }

  /** The live part is somewhere above, or on another screen: the next one is drawn where the cursor is. */
  forget(): void {
    this.#shown = [];
    this.#at = 0;
  }

  /** From the first row: what is the same is passed over. */
  #changes(rows: readonly string[]): string {
    let out = "";
    let at = 0;
    for (const [index, row] of rows.entries()) {
      if (row === this.#shown[index]) continue;
      // A row that is not there yet comes with a line break.
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
