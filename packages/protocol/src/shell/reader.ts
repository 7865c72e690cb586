import type { ShellPart } from "./part.ts";

/** A heredoc whose operator has been read and whose body follows the next newline. */
export interface PendingHeredoc {
  readonly delimiter: string;
  readonly quoted: boolean;
  readonly stripTabs: boolean;
  readonly input: string[];
}

/** The state of the parser. Giving up moves to the end of the text, so that every loop over it ends by itself. */
export interface Reader {
  readonly text: string;
  readonly heredocs: PendingHeredoc[];
  /** Shared with the readers of nested texts. */
  readonly parts: ShellPart[];
  /** The number of words and redirections read, and of pieces of words; also shared. */
  readonly count: { words: number; pieces: number };
  readonly inBackticks: boolean;
  /** Reads commands up to a closing word or the end; passed along because words contain commands again. */
  readonly readList: (reader: Reader, closers: readonly string[]) => string | undefined;
  at: number;
  depth: number;
  inSubstitution: boolean;
  piped: boolean;
  problem: string | undefined;
}

const MAX_DEPTH = 40;
/** No one reads a command with more words, and processing it takes more than linear time. */
const MAX_WORDS = 2000;
/**
 * Quotes, wildcards and expansions within words: this many take some milliseconds, and a word may have as
 * many as it has characters.
 */
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

/** Declares the text unreadable; the first reason is kept. */
export function giveUp(reader: Reader, reason: string): void {
  reader.problem ??= reason;
  reader.at = reader.text.length;
}

/** Counts a word or a redirection; too many would take too long to judge. */
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

/** Skips a text that must be next; false if it isn't. */
export function take(reader: Reader, expected: string): boolean {
  if (!reader.text.startsWith(expected, reader.at)) return false;
  reader.at += expected.length;
  return true;
}

/** Skips whatever a sticky pattern matches here. */
export function takeMatch(reader: Reader, sticky: RegExp): RegExpExecArray | undefined {
  sticky.lastIndex = reader.at;
  const match = sticky.exec(reader.text) ?? undefined;
  if (match) reader.at += match[0].length;
  return match;
}

/** Reads a construct that may contain itself; gives up on nesting that is too deep instead of exhausting the stack. */
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

/** Reads a text taken out of the reader's own, such as a heredoc body; if it can't be read, neither can the whole. */
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
