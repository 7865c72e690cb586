import { readList } from "./list.ts";
import type { ShellReading } from "./part.ts";
import { newReader } from "./reader.ts";

// Shells, terminals and people see different things in these. Marks are among them.
const UNREADABLE = /[^\P{C}\t\n]|[^\P{Z} ]/u;

/** No longer command can be started: that is as much as Linux hands to a program in one argument. */
export const MAX_COMMAND_CHARS = 131_072;

/** Whether a text has only characters that everybody sees alike. */
export function isReadable(text: string): boolean {
  return !UNREADABLE.test(text);
}

/**
 * Finds every simple command that a shell would run for a text, nested ones included. It reads less than shells do:
 * what POSIX shells, bash and zsh might take differently, or what runs a command without showing it, is not read.
 */
export function readShell(text: string): ShellReading {
  if (text.length > MAX_COMMAND_CHARS)
    return { ok: false, reason: `it is longer than ${MAX_COMMAND_CHARS} characters` };
  return isReadable(text) ? readParts(text) : { ok: false, reason: "it has invisible or control characters" };
}

/** The same for a text that may have marks in it. */
export function readParts(text: string): ShellReading {
  const reader = newReader(text, readList);
  readList(reader, []);
  return reader.problem === undefined
    ? { ok: true, parts: reader.parts }
    : { ok: false, reason: reader.problem };
}
