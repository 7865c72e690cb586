import { eastAsianWidth } from "get-east-asian-width";

/** Characters of zero width: combining marks, joiners, the later letters of a Hangul syllable. */
const NONE = /^(?:\p{Mn}|\p{Me}|\p{Cf}|\p{Variation_Selector}|[\u1160-\u11ff\ud7b0-\ud7ff])$/u;
const ESCAPES = /\p{Cc}\[[0-9;?]*[A-Za-z]/gu;
const TAB = 8;

/** A fast path: most text is ASCII, with one column per character. */
const ASCII = /^[ -~]*$/;
/** Code points that combine into one emoji. */
const JOINING = /[\u200d\ufe0f\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]/u;
const FLAG = /^[\u{1f1e6}-\u{1f1ff}]{2}$/u;
const JOINER = "\u200d";
const PICTURE = "\ufe0f";
const TONE = /^[\u{1f3fb}-\u{1f3ff}]$/u;

/** Made when it is first needed, because that takes longer than printing a short table. */
let graphemes: Intl.Segmenter | undefined;

/** How many columns a terminal uses for emoji of several code points: two according to Unicode, which many don't follow. */
export interface PictureWidths {
  /** Emoji combined with joiners, such as a person at a computer. */
  readonly joined: number;
  /** Emoji with a skin tone. */
  readonly toned: number;
  /** Text characters followed by the emoji variation selector, such as a heart. */
  readonly drawn: number;
  readonly flag: number;
}

let widths: PictureWidths = { joined: 2, toned: 2, drawn: 2, flag: 2 };
let isJoining = false;

/** Sets the widths measured on the terminal. */
export function useWidths(measured: PictureWidths): void {
  widths = measured;
}

/** Whether any measured text contained emoji whose width differs between terminals. */
export const hasPictures = (): boolean => isJoining;

/** The graphemes of a text. */
export function charsOf(text: string): Iterable<string> {
  if (!JOINING.test(text)) return text;
  isJoining = true;
  graphemes ??= new Intl.Segmenter();
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

function widthOfChar(char: string): number {
  if (char >= " " && char <= "~" && char.length === 1) return 1;
  const [first = "", ...rest] = char;
  if (FLAG.test(char)) return widths.flag;
  let width = widthOfPoint(first);
  let before = first;
  for (const point of rest) {
    if (point === PICTURE && width === 1 && widths.drawn === 2) width = 2;
    else if (TONE.test(point)) width = widths.toned === 2 ? Math.max(2, width) : width + 2;
    else if (before !== JOINER || widths.joined > 2) width += widthOfPoint(point);
    before = point;
  }
  return width;
}

const widthOfPoint = (point: string) => (NONE.test(point) ? 0 : eastAsianWidth(point.codePointAt(0) ?? 0));

/** How many columns a text without line breaks takes. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const char of charsOf(text.replace(ESCAPES, "")))
    width += char === "\t" ? TAB - (width % TAB) : widthOfChar(char);
  return width;
}

/** Cuts a line without escape sequences to a number of columns. */
export function cutTo(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line;
  let cut = "";
  for (const char of charsOf(line)) {
    if (widthOf(`${cut}${char}`) > columns - 1) break;
    cut += char;
  }
  return `${cut}…`;
}

/** How many rows a line takes on a terminal of the given width. */
export function rowsOf(line: string, columns: number): number {
  let rows = 1;
  let column = 0;
  for (const char of charsOf(line.replace(ESCAPES, ""))) {
    const width = char === "\t" ? TAB - (column % TAB) : widthOfChar(char);
    if (column + width > columns) {
      rows++;
      column = 0;
    }
    column += width;
  }
  return rows;
}
