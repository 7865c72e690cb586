import { widthOf } from "../terminal/width.ts";
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
/** As many rows as the largest screens have. */
const MOST_RECENT = 200;
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
  #columns: number;
  /** The latest rows of the terminal's history, to be drawn again. */
  #recent: string[] = [];

  constructor(device: Device) {
    this.#device = device;
    this.#columns = device.columns || 80;
  }

  /** Adds rows to the terminal's history, and shows the live part below them. */
  draw(finished: readonly string[], rows: readonly string[], cursor: Cursor | undefined): void {
    const columns = this.#device.columns || 80;
    const isResized = columns !== this.#columns;
    this.#columns = columns;
    this.#keep(finished);
    let out = `\r${up(this.#at)}`;
    if (isResized) out = this.#anew(rows.length);
    else if (finished.length > 0) out += `${CLEAR_BELOW}${finished.map((row) => `${row}\r\n`).join("")}`;
    if (isResized || finished.length > 0) {
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

  #keep(finished: readonly string[]): void {
    this.#recent.push(...finished);
    if (this.#recent.length > 2 * MOST_RECENT) this.#recent = this.#recent.slice(-MOST_RECENT);
  }

  /**
   * Everything that is seen, from the top. A terminal of another width breaks its rows anew, each in its own way and some of them before
   * they say so: where the live part has begun is not known any more.
   */
  #anew(below: number): string {
    let room = (this.#device.rows || 24) - below;
    let from = this.#recent.length;
    while (from > 0) {
      room -= Math.max(1, Math.ceil(widthOf(this.#recent[from - 1] ?? "") / this.#columns));
      if (room < 0) break;
      from--;
    }
    // Row by row: some terminals keep what is cleared all at once as history.
    return `${HOME}${this.#recent
      .slice(from)
      .map((row) => `${row}${CLEAR_LINE}\r\n`)
      .join("")}`;
  }
}

const up = (rows: number) => (rows > 0 ? `\x1b[${rows}A` : "");
const move = (by: number) => (by > 0 ? `\x1b[${by}B` : up(-by));
