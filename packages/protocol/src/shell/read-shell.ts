import { readList } from "./list.ts";
import type { ShellReading } from "./part.ts";
import { newReader } from "./reader.ts";

// Characters that shells, terminals and people see differently. Marks are among them.
const UNREADABLE = /[^\P{C}\t\n]|[^\P{Z} ]/u;

/** No longer command can be started: Linux passes no more than this to a program in one argument. */
export const MAX_COMMAND_CHARS = 131_072;

/** Whether a text contains only characters that look the same everywhere. */
export function isReadable(text: string): boolean {
  return !UNREADABLE.test(text);
}

/**
 * Finds every simple command that a shell would run for a text, nested ones included. It accepts less than
 * shells do: whatever POSIX shells, bash and zsh might interpret differently, or runs a command without
 * showing it, is not parsed.
 */
export function readShell(text: string): ShellReading {
  if (text.length > MAX_COMMAND_CHARS)
    return { ok: false, reason: `it is longer than ${MAX_COMMAND_CHARS} characters` };
  return isReadable(text) ? readParts(text) : { ok: false, reason: "it has invisible or control characters" };
}

/** The same for a text that may contain marks. */
export function readParts(text: string): ShellReading {
  const reader = newReader(text, readList);
  readList(reader, []);
  return reader.problem === undefined
    ? { ok: true, parts: reader.parts }
    : { ok: false, reason: reader.problem };
}
