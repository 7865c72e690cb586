import { giveUp, peek, type Reader, take, takeMatch } from "./reader.ts";
import { readTrailingRedirections } from "./simple.ts";
import { readWord, skipBlanks } from "./word.ts";

const UNREAD = /(?:case|select|function|coproc|\[\[|then|else|elif|fi|do|done|esac)(?=[\s;&|<>()]|$)/y;
const DELIMITER = /[\s;&|<>()]/;
const NEWLINES = /[ \t\n]*/y;
const LOOP_HEAD = /[ \t]+(\w+)[ \t]+in(?=[ \t])/y;

// A loop variable is an assignment; these names have no meaning to any shell or program.
const LOOP_VARIABLE = /^(?:[a-z]|file|dir|name|item|line|word|pkg|package|test|url|num|id|ext|branch)$/;

/** Reads a group, subshell, condition or loop; false if a simple command is next. */
export function readCompound(reader: Reader): boolean {
  while (peek(reader, 1) === " " && take(reader, "!")) skipBlanks(reader);
  if (takeMatch(reader, UNREAD)) giveUp(reader, "it has an unsupported construct");
  else if (peek(reader) === "(") readSubshell(reader);
  else if (/\s/.test(peek(reader, 1)) && takeReserved(reader, "{")) reader.readList(reader, ["}"]);
  else if (takeReserved(reader, "if")) readIf(reader);
  else if (takeReserved(reader, "while") || takeReserved(reader, "until")) readLoop(reader);
  else if (takeReserved(reader, "for")) readFor(reader);
  else return false;
  readTrailingRedirections(reader);
  return true;
}

/** Skips a reserved word; false if it isn't next or is only the start of a longer word. */
export function takeReserved(reader: Reader, word: string): boolean {
  if (!reader.text.startsWith(word, reader.at)) return false;
  const after = peek(reader, word.length);
  return (word === ")" || after === "" || DELIMITER.test(after)) && take(reader, word);
}

function readSubshell(reader: Reader): void {
  take(reader, "(");
  if (peek(reader) === "(") giveUp(reader, "it has an arithmetic command");
  else reader.readList(reader, [")"]);
}

function readIf(reader: Reader): void {
  let closer: string | undefined = "elif";
  while (closer === "elif") {
    reader.readList(reader, ["then"]);
    closer = reader.readList(reader, ["elif", "else", "fi"]);
  }
  if (closer === "else") reader.readList(reader, ["fi"]);
}

function readLoop(reader: Reader): void {
  reader.readList(reader, ["do"]);
  reader.readList(reader, ["done"]);
}

function readFor(reader: Reader): void {
  const head = takeMatch(reader, LOOP_HEAD);
  if (!LOOP_VARIABLE.test(head?.[1] ?? ""))
    giveUp(reader, "a loop sets a variable that may have a special meaning");
  if (reader.heredocs.length > 0) giveUp(reader, "a loop follows a heredoc on its line");
  do skipBlanks(reader);
  while (readWord(reader));
  if (!take(reader, ";") && peek(reader) !== "\n") giveUp(reader, "a loop has an unusual head");
  takeMatch(reader, NEWLINES);
  if (takeReserved(reader, "do")) reader.readList(reader, ["done"]);
  else giveUp(reader, "a loop has no do");
}
