import { literalValue, readShell } from "@agentwire/protocol/shell";

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
  // A list or pipe has the code of its last part, unless it ended before that.
  const [program] = reading.parts.at(-1)?.words ?? [];
  return program && MEANING_OF_1.get(literalValue(program.text) ?? "");
}
