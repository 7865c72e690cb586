import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** The command line is wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Splits a command line: our own words before `--`, the command of the program under test behind it. */
export function splitArgs(argv: readonly string[], cwd: string) {
  const end = argv.indexOf("--");
  const own = end < 0 ? argv : argv.slice(0, end);
  const command = end < 0 ? [] : argv.slice(end + 1);
  return { own, command: absolute(command, cwd) };
}

/** Calls something that reads a command line; what it objects to is wrong usage. */
export function reading<T>(parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
}

/** The value of an option that counts something. */
export function positive(option: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new UsageError(`${option} takes a whole number above 0, not ${text}`);
}

/** The program runs in another folder: words that name files of this one are made absolute. */
function absolute(command: readonly string[], cwd: string): readonly string[] {
  return command.map((word, index) => {
    const isLookedUp = index === 0 && !word.includes("/");
    return !isLookedUp && existsSync(resolve(cwd, word)) ? resolve(cwd, word) : word;
  });
}
