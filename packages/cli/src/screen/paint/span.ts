import { plain } from "../../render/plain.ts";
import { charsOf, widthOf } from "../../terminal/width.ts";
import { visualRows } from "./text-order.ts";

/** A piece of a line with its style: the parameters of a terminal sequence, as in `1;36`; empty for plain text. */
export interface Span {
  readonly text: string;
  readonly style: string;
}

/** One row of the screen. */
export type Row = readonly Span[];

/** The styles used. Colors come from the terminal's own palette, so they suit dark and light themes. */
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

/** Combines two styles. */
export const both = (one: string, other: string): string =>
  one === "" ? other : other === "" ? one : `${one};${other}`;

export const rowWidth = (row: Row): number => row.reduce((sum, { text }) => sum + widthOf(text), 0);

/** The text of a row for the terminal, with or without styles. */
export function printRow(row: Row, isStyled: boolean): string {
  let out = "";
  for (const { text, style } of row)
    out += style === "" || !isStyled || text === "" ? text : `\x1b[${style}m${text}\x1b[0m`;
  return out;
}

interface WrapOptions {
  readonly columns: number;
  /** The prefixes of the first row and of the others. */
  readonly first?: Row;
  readonly rest?: Row;
  /** Whether to break between words, as in prose, or at the edge of the screen, as in code. */
  readonly byWord?: boolean;
}

/** Breaks a line into rows that fit the screen; prose is put into visual order. */
export function wrap(line: Row, { columns, first = [], rest = first, byWord = true }: WrapOptions): Row[] {
  const [only] = line;
  if (only && line.length === 1 && byWord && ASCII.test(only.text))
    return wrapAscii(only, columns, first, rest);
  const broken = brokenRows(line, columns - rowWidth(first), columns - rowWidth(rest), byWord);
  // Code and commands keep their logical order, so that what is asked about can't look like something else.
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
    // Drop spaces at the end of a row.
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

/** A fast path for ASCII text of one style, which is most of what streams. */
function wrapAscii({ text, style }: Span, columns: number, first: Row, rest: Row): Row[] {
  const rows: Row[] = [];
  const firstRoom = Math.max(1, columns - rowWidth(first));
  const restRoom = Math.max(1, columns - rowWidth(rest));
  let at = 0;
  do {
    const prefix = rows.length === 0 ? first : rest;
    const room = rows.length === 0 ? firstRoom : restRoom;
    // Drop spaces at a line break.
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

/** The words and the spaces between them; a word may consist of several styles. */
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

/** An unbroken line of prose in visual order. */
export const inVisualOrder = (row: Row): Row => visualRows(row, [row])[0] ?? row;

/** Cuts a row at the edge of the screen. */
export function cutRow(row: Row, columns: number): Row {
  if (rowWidth(row) <= columns) return row;
  const [head = []] = wrap(row, { columns: Math.max(1, columns - 1), byWord: false });
  return [...head, span("…", LOOK.dim)];
}

/** Makes untrusted text safe to show: nothing in it affects the terminal, and every character has a known width. */
export const shown = (text: string): string => plain(text).replaceAll("\t", "    ");

/** Splits spans at their line breaks. */
export function linesOf(spans: readonly Span[]): Row[] {
  const all: Span[][] = [[]];
  for (const { text, style } of spans)
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) all.push([]);
      if (line !== "") all.at(-1)?.push(span(line, style));
    }
  return all;
}
