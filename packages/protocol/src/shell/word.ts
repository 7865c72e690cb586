import { expansion, readBackticks, readDollar, readSubstitution } from "./expansion.ts";
import { MARK } from "./marks.ts";
import type { ShellWord } from "./part.ts";
import { atEnd, countPiece, giveUp, peek, type Reader, take, takeMatch } from "./reader.ts";

const BLANK = /[ \t]+/y;
const COMMENT = /#[^\n]*/y;
const PLAIN = /[^ \t\n;&|<>()\\'"$`*?[\]{}~]+/y;
const ACTIVE = /[*?[\]{}~]/y;
// In zsh `=ls` at the beginning of a word is the path of that program.
const PROGRAM_PATH = /=(?=[^= \t\n;&|<>()])/y;
const PLAIN_IN_DOUBLE_QUOTES = /[^"\\$`]+/y;
// By themselves, these are literal in every shell.
const LITERAL_WORDS: ReadonlySet<string> = new Set(["[", "]", "{}"]);
const ESCAPED_IN_DOUBLE_QUOTES = /\\([$`"\\])/y;

/** Skips blanks, continued lines and comments before a token. */
export function skipBlanks(reader: Reader): void {
  for (;;) {
    if (takeMatch(reader, BLANK) || take(reader, "\\\n")) continue;
    const comment = takeMatch(reader, COMMENT);
    if (!comment) return;
    // Old shells also look for the closing bracket of a substitution inside comments.
    if (reader.inSubstitution) giveUp(reader, "there is a comment within a substitution");
    if (comment[0].endsWith("\\")) giveUp(reader, "a comment ends with a backslash");
  }
}

/** Reads one word; undefined if the next character cannot begin one. */
export function readWord(reader: Reader): ShellWord | undefined {
  const start = reader.at;
  let text = "";
  while (!atEnd(reader)) {
    const piece = readPiece(reader, start);
    if (piece === undefined) break;
    countPiece(reader);
    text += piece;
  }
  if (reader.at === start) return undefined;
  const source = reader.text.slice(start, reader.at);
  return { source, text: LITERAL_WORDS.has(source) ? source : text };
}

function readPiece(reader: Reader, wordStart: number): string | undefined {
  if (reader.at === wordStart && takeMatch(reader, PROGRAM_PATH)) return `${MARK.active}=`;
  const plain = takeMatch(reader, PLAIN);
  if (plain) return plain[0];
  const active = takeMatch(reader, ACTIVE);
  if (active) return MARK.active + active[0];
  switch (peek(reader)) {
    case "\\":
      return readEscaped(reader);
    case "'":
      return readSingleQuoted(reader);
    case '"':
      return readDoubleQuoted(reader);
    case "$":
      return readDollar(reader, false);
    case "`":
      return readBackticks(reader, false);
    case "<":
    case ">":
      return readProcessSubstitution(reader, wordStart);
    default:
      return undefined;
  }
}

function readEscaped(reader: Reader): string {
  const escaped = peek(reader, 1);
  reader.at += 2;
  if (escaped === "" || escaped === "\n") giveUp(reader, "a line ends within a word");
  return escaped;
}

function readSingleQuoted(reader: Reader): string {
  const end = reader.text.indexOf("'", reader.at + 1);
  const value = reader.text.slice(reader.at + 1, end);
  if (end < 0) giveUp(reader, "a quote is not closed");
  else reader.at = end + 1;
  checkNewline(reader, value);
  return value;
}

function readDoubleQuoted(reader: Reader): string {
  reader.at += 1;
  let value = "";
  while (!take(reader, '"')) {
    const plain = takeMatch(reader, PLAIN_IN_DOUBLE_QUOTES);
    if (plain) {
      checkNewline(reader, plain[0]);
      value += plain[0];
      continue;
    }
    const next = peek(reader);
    if (next === "$") value += readDollar(reader, true);
    else if (next === "`") value += readBackticks(reader, true);
    else if (next === "\\") value += readBackslashInDoubleQuotes(reader);
    else {
      giveUp(reader, "a quote is not closed");
      return value;
    }
  }
  return value;
}

function readBackslashInDoubleQuotes(reader: Reader): string {
  const escaped = takeMatch(reader, ESCAPED_IN_DOUBLE_QUOTES);
  if (escaped) return escaped[1] ?? "";
  reader.at += 1;
  if (peek(reader) === "\n") giveUp(reader, "a line is continued within quotes");
  return "\\";
}

function readProcessSubstitution(reader: Reader, wordStart: number): string | undefined {
  const start = reader.at;
  if (peek(reader, 1) !== "(") return undefined;
  if (start !== wordStart) giveUp(reader, "a process substitution is part of a word");
  readSubstitution(reader, peek(reader) === "<" ? "<(" : ">(");
  return expansion(reader, start);
}

// The body of a heredoc begins after a newline; shells disagree about whether a quoted one counts.
function checkNewline(reader: Reader, quoted: string): void {
  if (reader.heredocs.length > 0 && quoted.includes("\n"))
    giveUp(reader, "a quoted newline follows a heredoc");
}
