import type { ShellPart } from "./part.ts";

/** A heredoc whose operator is read and whose body follows after the next newline. */
export interface PendingHeredoc {
  readonly delimiter: string;
  readonly quoted: boolean;
  readonly stripTabs: boolean;
  readonly input: string[];
}

/** Where a reading stands. Giving up moves to the end of the text, so that every loop over it stops by itself. */
export interface Reader {
  readonly text: string;
  readonly heredocs: PendingHeredoc[];
  /** Shared by the readers of nested texts. */
  readonly parts: ShellPart[];
  /** How many words and redirections were read, and pieces of words; shared as well. */
  readonly count: { words: number; pieces: number };
  readonly inBackticks: boolean;
  /** Reads commands up to a closing word or the end; carried along because words contain commands again. */
  readonly readList: (reader: Reader, closers: readonly string[]) => string | undefined;
  at: number;
  depth: number;
  inSubstitution: boolean;
  piped: boolean;
  problem: string | undefined;
}

const MAX_DEPTH = 40;
/** Nobody reads a command of more words, and what is done with them takes longer than their number grows. */
const MAX_WORDS = 2000;
/** Quotes, wildcards and expansions within words: so many take some milliseconds, and a word may have as many as it has characters. */
const MAX_PIECES = 8000;

/** A reader at the start of a text. */
export function newReader(text: string, readList: Reader["readList"]): Reader {
  return {
    text,
    readList,
    heredocs: [],
    parts: [],
    count: { words: 0, pieces: 0 },
    inBackticks: false,
    at: 0,
    depth: 0,
    inSubstitution: false,
    piped: false,
    problem: undefined,
  };
}

/** Declares the text unreadable; the first reason stays. */
export function giveUp(reader: Reader, reason: string): void {
  reader.problem ??= reason;
  reader.at = reader.text.length;
}

/** Counts a word or a redirection; too many are too much to judge in a moment. */
export function countWord(reader: Reader): void {
  reader.count.words += 1;
  if (reader.count.words > MAX_WORDS) giveUp(reader, `it has more than ${MAX_WORDS} words`);
}

/** Counts a piece of a word. */
export function countPiece(reader: Reader): void {
  reader.count.pieces += 1;
  if (reader.count.pieces > MAX_PIECES) giveUp(reader, `its words have more than ${MAX_PIECES} pieces`);
}

/** The next character, empty at the end. */
export function peek(reader: Reader, ahead = 0): string {
  return reader.text.charAt(reader.at + ahead);
}

/** Whether nothing is left to read. */
export function atEnd(reader: Reader): boolean {
  return reader.at >= reader.text.length;
}

/** Steps over a text that must be next; false if it isn't. */
export function take(reader: Reader, expected: string): boolean {
  if (!reader.text.startsWith(expected, reader.at)) return false;
  reader.at += expected.length;
  return true;
}

/** Steps over what a sticky pattern matches here. */
export function takeMatch(reader: Reader, sticky: RegExp): RegExpExecArray | undefined {
  sticky.lastIndex = reader.at;
  const match = sticky.exec(reader.text) ?? undefined;
  if (match) reader.at += match[0].length;
  return match;
}

/** Reads a construct that may contain itself; too deep a nesting gives up instead of exhausting the stack. */
export function nested<T>(reader: Reader, otherwise: T, read: () => T): T {
  if (reader.depth >= MAX_DEPTH) {
    giveUp(reader, "it is nested too deeply");
    return otherwise;
  }
  reader.depth += 1;
  const result = read();
  reader.depth -= 1;
  return result;
}

/** Reads a text cut out of the reader's own, such as a heredoc body; its trouble is the reader's. */
export function readApart(
  reader: Reader,
  text: string,
  change: Partial<Reader>,
  read: (inner: Reader) => void,
): void {
  const inner: Reader = { ...reader, text, at: 0, heredocs: [], ...change };
  read(inner);
  if (inner.problem !== undefined) giveUp(reader, inner.problem);
}
