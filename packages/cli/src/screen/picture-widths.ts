import { hasPictures, type PictureWidths, useWidths } from "../terminal/width.ts";

const NAMES = ["joined", "toned", "drawn", "flag"] as const satisfies readonly (keyof PictureWidths)[];
const SAMPLES: Readonly<Record<(typeof NAMES)[number], string>> = {
  joined: "👩\u200d💻",
  toned: "👍🏽",
  drawn: "❤\ufe0f",
  flag: "🇩🇪",
};

/** Shows a sample of each in the row of the cursor, asks where the cursor is then, and takes it away again. */
export const ASK_FOR_WIDTHS = `\x1b7${NAMES.map((name) => `\r${SAMPLES[name]}\x1b[6n`).join("")}\r\x1b[K\x1b8`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what terminals answer with.
const PLACE = /^\u001b\[\d+;(\d+)R$/;

/**
 * How wide the terminal shows pictures of several parts. They differ in it, whatever Unicode says, and none has a name for what it
 * does; so it is asked when the first such picture is shown.
 */
export class WidthAnswers {
  #isAsked = false;
  readonly #columns: number[] = [];

  /** Whether it is time to ask, which it is once. */
  get isWanted(): boolean {
    if (this.#isAsked || !hasPictures()) return false;
    this.#isAsked = true;
    return true;
  }

  /** Takes what the terminal has answered; false for a key. */
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
