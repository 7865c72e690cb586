import { plain } from "../../render/plain.ts";
import { charsOf, widthOf } from "../../terminal/width.ts";
import { visualRows } from "./text-order.ts";

/** A piece of a line, and how it looks: the parameters of the terminal's own sequence, as in `1;36`; empty for plain text. */
export interface Span {
  readonly text: string;
  readonly style: string;
}

/** One row of the screen. */
export type Row = readonly Span[];

/** The looks that are used. Colors are those of the terminal's own palette, so they suit dark and light ones. */
export const LOOK = {
  plain: "",
  bold: "1",
  dim: "2",
  italic: "3",
  underline: "4",
  inverse: "7",
  struck: "9",
  red: "31",
  green: "32",
  yellow: "33",
  blue: "34",
  magenta: "35",
  cyan: "36",
} as const;

export const span = (text: string, style = ""): Span => ({ text, style });

/** Both looks at once. */
export const both = (one: string, other: string): string =>
  one === "" ? other : other === "" ? one : `${one};${other}`;

export const rowWidth = (row: Row): number => row.reduce((sum, { text }) => sum + widthOf(text), 0);

/** The text of a row for the terminal; without looks where nobody wants them. */
export function printRow(row: Row, hasLooks: boolean): string {
  let out = "";
  for (const { text, style } of row)
    out += style === "" || !hasLooks || text === "" ? text : `\x1b[${style}m${text}\x1b[0m`;
  return out;
}

interface WrapOptions {
  readonly columns: number;
  /** What stands before the first row, and before the others. */
  readonly first?: Row;
  readonly rest?: Row;
  /** Whether rows end between words; code ends where the screen does. */
  readonly byWord?: boolean;
}

/** Breaks a line that may be longer than the screen is wide into rows; prose is shown in the order in which it is read. */
export function wrap(line: Row, { columns, first = [], rest = first, byWord = true }: WrapOptions): Row[] {
  const [only] = line;
  if (only && line.length === 1 && byWord && ASCII.test(only.text))
    return wrapAscii(only, columns, first, rest);
  const broken = brokenRows(line, columns - rowWidth(first), columns - rowWidth(rest), byWord);
  // Code and commands keep the order in which they are written: what is asked about must not look like something else.
  const rows = byWord ? visualRows(line, broken) : broken;
  return rows.map((row, index) => [...(index === 0 ? first : rest), ...row]);
}

function brokenRows(line: Row, firstRoom: number, restRoom: number, byWord: boolean): Row[] {
  const rows: Row[] = [];
  let row: Span[] = [];
  let room = firstRoom;
  let isFresh = true;
  const end = () => {
    rows.push(row);
    row = [];
    room = restRoom;
    isFresh = true;
  };
  for (const word of wordsOf(line, byWord)) {
    const width = rowWidth(word);
    const isBlank = byWord && word.every(({ text }) => text.trim() === "");
    if (width <= room) {
      if (isBlank && isFresh && rows.length > 0) continue;
      row.push(...word);
      room -= width;
      isFresh = false;
      continue;
    }
    // A space at the end of a row is not seen.
    if (isBlank) continue;
    if (!isFresh && width <= restRoom) {
      end();
      row.push(...word);
      room -= width;
      isFresh = false;
      continue;
    }
    for (const { text, style } of word) {
      let from = 0;
      let at = 0;
      for (const char of charsOf(text)) {
        const wide = widthOf(char);
        if (wide > room && !(isFresh && room >= restRoom)) {
          if (at > from) row.push(span(text.slice(from, at), style));
          end();
          from = at;
        }
        room -= wide;
        isFresh = false;
        at += char.length;
      }
      if (at > from) row.push(span(text.slice(from), style));
    }
  }
  rows.push(row);
  return rows;
}

const ASCII = /^[ -~]*$/;

/** The same for a text of one look whose characters all have one column: most of what streams, and much of it at once. */
function wrapAscii({ text, style }: Span, columns: number, first: Row, rest: Row): Row[] {
  const rows: Row[] = [];
  const firstRoom = Math.max(1, columns - rowWidth(first));
  const restRoom = Math.max(1, columns - rowWidth(rest));
  let at = 0;
  do {
    const prefix = rows.length === 0 ? first : rest;
    const room = rows.length === 0 ? firstRoom : restRoom;
    // Spaces where a row is broken are not seen.
    if (rows.length > 0) while (text[at] === " ") at++;
    if (rows.length > 0 && at >= text.length) break;
    let end = at + room;
    if (end < text.length) {
      const space = text.lastIndexOf(" ", end);
      if (space > at && text.slice(at, space).trim() !== "") end = space;
    }
    rows.push([...prefix, span(text.slice(at, end), style)]);
    at = end;
  } while (at < text.length);
  return rows;
}

/** The words and the spaces between them; a word may change its look in the middle. */
function* wordsOf(line: Row, byWord: boolean): Generator<Span[]> {
  if (!byWord) {
    if (line.length > 0) yield [...line];
    return;
  }
  let word: Span[] = [];
  for (const { text, style } of line)
    for (const [piece] of text.matchAll(/ +|[^ ]+/g)) {
      const isBlank = piece.trim() === "";
      if (isBlank && word.length > 0) {
        yield word;
        word = [];
      }
      if (isBlank) yield [span(piece, style)];
      else word.push(span(piece, style));
    }
  if (word.length > 0) yield word;
}

/** A line of prose that is not broken, in the order in which it is read. */
export const inReadingOrder = (row: Row): Row => visualRows(row, [row])[0] ?? row;

/** A row that is cut where the screen ends. */
export function cutRow(row: Row, columns: number): Row {
  if (rowWidth(row) <= columns) return row;
  const [head = []] = wrap(row, { columns: Math.max(1, columns - 1), byWord: false });
  return [...head, span("…", LOOK.dim)];
}

/** A text from outside as it may be shown: nothing in it acts on the terminal, and every character has its width. */
export const shown = (text: string): string => plain(text).replaceAll("\t", "    ");

/** A line for each line break in the spans. */
export function linesOf(spans: readonly Span[]): Row[] {
  const all: Span[][] = [[]];
  for (const { text, style } of spans)
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) all.push([]);
      if (line !== "") all.at(-1)?.push(span(line, style));
    }
  return all;
}
