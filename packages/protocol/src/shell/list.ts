import { readCompound, takeReserved } from "./compound.ts";
import { readHeredocs } from "./heredoc.ts";
import { atEnd, giveUp, nested, peek, type Reader, take, takeMatch } from "./reader.ts";
import { readSimple } from "./simple.ts";
import { skipBlanks } from "./word.ts";

// Excludes `;;`, `;&` and `&!`, which belong to `case` or to other shells.
const SEPARATOR = /&&|\|\||\|&|\||;(?![;&|])|&(?![!|>])/y;
const JOINS_TWO = new Set(["&&", "||", "|", "|&"]);
const PIPES = new Set(["|", "|&"]);

/** Reads commands up to one of the closing words, which it skips and returns, or to the end of the text. */
export function readList(reader: Reader, closers: readonly string[]): string | undefined {
  return nested(reader, undefined, () => {
    const piped = reader.piped;
    const closer = readUntil(reader, closers);
    reader.piped = piped;
    return closer;
  });
}

function readUntil(reader: Reader, closers: readonly string[]): string | undefined {
  const piped = reader.piped;
  let owed = true;
  for (;;) {
    skipNewlines(reader);
    const closer = closers.find((word) => takeReserved(reader, word));
    if (closer !== undefined || atEnd(reader)) {
      if (owed) giveUp(reader, "a command is missing");
      if (closer === undefined && closers.length > 0)
        giveUp(reader, `a closing ${closers.join(" or ")} is missing`);
      if (reader.heredocs.length > 0) giveUp(reader, "a heredoc is not closed");
      return closer;
    }
    const first = reader.parts.length;
    if (!readCompound(reader)) readSimple(reader);
    const separator = readSeparator(reader, closers);
    if (separator === "&") sendToBackground(reader, first);
    owed = JOINS_TWO.has(separator);
    reader.piped = piped || PIPES.has(separator);
  }
}

/** Marks all parts of the last command as running in the background. */
function sendToBackground({ parts }: Reader, first: number): void {
  for (let at = first; at < parts.length; at++) {
    const part = parts[at];
    // Otherwise nested groups would copy it once per group.
    if (part && !part.background) parts[at] = { ...part, background: true };
  }
}

function readSeparator(reader: Reader, closers: readonly string[]): string {
  skipBlanks(reader);
  const match = takeMatch(reader, SEPARATOR);
  if (match) return match[0];
  const next = peek(reader);
  // A newline is skipped together with those that follow it. Of the closing words, only a bracket needs no
  // separator before it.
  const ends = next === "" || next === "\n" || (next === ")" && closers.includes(")"));
  if (!ends) giveUp(reader, `${next} appears where a command should end`);
  return "";
}

function skipNewlines(reader: Reader): void {
  skipBlanks(reader);
  while (take(reader, "\n")) {
    readHeredocs(reader);
    skipBlanks(reader);
  }
}
