import { literalValue, readShell } from "@agentwire/protocol";

const MEANING_OF_1 = new Map([
  ["grep", "No matches found"],
  ["egrep", "No matches found"],
  ["fgrep", "No matches found"],
  ["rg", "No matches found"],
  ["diff", "Files differ"],
  ["cmp", "Files differ"],
  ["find", "Some folders could not be read"],
  ["test", "The condition is false"],
  ["[", "The condition is false"],
]);

/** What an exit code says that is an answer and not a failure, such as that of a `grep` that found nothing. */
export function meaningOfExit(command: string, code: number): string | undefined {
  if (code !== 1) return undefined;
  const reading = readShell(command);
  if (!reading.ok) return undefined;
  // Of a list nobody can tell which part the code is from; a pipe has that of its last part.
  const [first, ...rest] = reading.parts;
  if (!first || !rest.every((part) => part.piped)) return undefined;
  const [program] = (rest.at(-1) ?? first).words;
  return program && MEANING_OF_1.get(literalValue(program.text) ?? "");
}
