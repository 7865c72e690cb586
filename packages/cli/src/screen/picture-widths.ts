import { hasPictures, type PictureWidths, useWidths } from "../terminal/width.ts";

const NAMES = ["joined", "toned", "drawn", "flag"] as const satisfies readonly (keyof PictureWidths)[];
const SAMPLES: Readonly<Record<(typeof NAMES)[number], string>> = {
  joined: "👩\u200d💻",
  toned: "👍🏽",
  drawn: "❤\ufe0f",
  flag: "🇩🇪",
};

/** Prints a sample of each kind in the cursor's row, asks for the cursor's column after it, and erases it. */
export const ASK_FOR_WIDTHS = `\x1b7${NAMES.map((name) => `\r${SAMPLES[name]}\x1b[6n`).join("")}\r\x1b[K\x1b8`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what terminals answer with.
const PLACE = /^\u001b\[\d+;(\d+)R$/;

/**
 * Measures how wide the terminal draws emoji of several code points. Terminals differ from Unicode and from each other, and can't be
 * identified, so they are asked when the first such emoji is shown.
 */
export class WidthAnswers {
  #isAsked = false;
  readonly #columns: number[] = [];

  /** Whether to ask now; true only once. */
  get isWanted(): boolean {
    if (this.#isAsked || !hasPictures()) return false;
    this.#isAsked = true;
    return true;
  }

  /** Handles a reply from the terminal; false for a key press. */
  take(sequence: string): boolean {
    const [, column] = PLACE.exec(sequence) ?? [];
    if (column === undefined || !this.#isAsked || this.#columns.length >= NAMES.length) return false;
    this.#columns.push(Number(column) - 1);
    if (this.#columns.length === NAMES.length) {
      const [joined = 2, toned = 2, drawn = 2, flag = 2] = this.#columns;
      useWidths({ joined, toned, drawn, flag });
    }
    return true;
  }
}
