import type { Redirect, ShellWord } from "./part.ts";
import { countWord, giveUp, peek, type Reader } from "./reader.ts";
import { readRedirection } from "./redirect.ts";
import { readWord, skipBlanks } from "./word.ts";

/** A part that is still being read. */
interface Draft {
  readonly start: number;
  readonly assignments: ShellWord[];
  readonly words: ShellWord[];
  readonly redirects: Redirect[];
  readonly input: string[];
  end: number;
  ambiguous: boolean;
}

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;
const SUBSCRIPT = /^[A-Za-z_][A-Za-z0-9_]*\[/;
const DESCRIPTOR_NAME = /^\{\w+\}$/;

/** Reads a command of words, assignments and redirections. */
export function readSimple(reader: Reader): void {
  const draft = newDraft(reader);
  while (readRedirection(reader, draft) || readOneWord(reader, draft)) step(reader, draft);
  if (draft.end === draft.start) giveUp(reader, "a command is missing");
  // Zsh starts a pager to show what is read, and cat to write.
  if (draft.words.length === 0 && draft.assignments.length === 0)
    giveUp(reader, "a redirection has no command");
  addPart(reader, draft);
}

/** Reads the redirections that follow a loop, group or other compound command. */
export function readTrailingRedirections(reader: Reader): void {
  skipBlanks(reader);
  const pending = reader.heredocs.length;
  const draft = newDraft(reader);
  while (readRedirection(reader, draft)) step(reader, draft);
  const opened = draft.redirects.length + draft.input.length + reader.heredocs.length - pending;
  if (opened > 0) addPart(reader, draft);
}

function newDraft({ at }: Reader): Draft {
  return { start: at, end: at, assignments: [], words: [], redirects: [], input: [], ambiguous: false };
}

function step(reader: Reader, draft: Draft): void {
  countWord(reader);
  draft.end = reader.at;
  skipBlanks(reader);
}

function addPart({ text, parts, piped }: Reader, draft: Draft): void {
  const { start, end, assignments, words, redirects, input } = draft;
  parts.push({
    source: text.slice(start, end),
    assignments,
    words,
    redirects,
    input,
    piped,
    background: false,
  });
}

function readOneWord(reader: Reader, { assignments, words, ambiguous }: Draft): boolean {
  const word = readWord(reader);
  if (!word) return false;
  const { source } = word;
  const isFirst = words.length === 0;
  if (ambiguous) giveUp(reader, "a word follows &>");
  if (source === "{" || source === "}") giveUp(reader, "a brace is where not every shell sees a word");
  if (DESCRIPTOR_NAME.test(source) && /[<>]/.test(peek(reader)))
    giveUp(reader, "a redirection sets a variable");
  if (isFirst && SUBSCRIPT.test(source)) giveUp(reader, "an array element is assigned");
  if (isFirst && ASSIGNMENT.test(source)) assignments.push(word);
  else words.push(word);
  return true;
}
