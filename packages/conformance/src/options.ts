import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { isProgram, onPath } from "@agentwire/local/files";

/** The command line is wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

type Options = NonNullable<ParseArgsConfig["options"]>;
type Read<O extends Options> = ReturnType<typeof parseArgs<{ allowPositionals: true; options: O }>>;

/** Reads a command line: our own words before `--`, the command of the program under test behind it. */
export function readArgs<const O extends Options>(
  argv: readonly string[],
  cwd: string,
  options: O,
): Read<O> & { readonly command: readonly string[] } {
  const { own, command } = splitArgs(argv, cwd);
  const read = reading(() => parseArgs({ args: [...own], allowPositionals: true, options }));
  return { ...(read as Read<O>), command };
}

/** Splits a command line at `--`. */
export function splitArgs(argv: readonly string[], cwd: string) {
  const end = argv.indexOf("--");
  const own = end < 0 ? argv : argv.slice(0, end);
  const command = end < 0 ? [] : argv.slice(end + 1);
  return { own, command: absolute(command, cwd) };
}

/** Objects to a command that is missing or can't be started, before a hundred scenarios say so one by one. */
export function checkCommand(
  what: "agent" | "host",
  command: readonly string[],
  path: string | undefined,
): void {
  const [program] = command;
  if (program === undefined) throw new UsageError(`no ${what} is named: put its command behind --`);
  if (!isThere(program, path)) throw new UsageError(`the program of the ${what} was not found: ${program}`);
}

/** Whether there is such a program, by its path or on PATH. */
export function isThere(program: string, path: string | undefined): boolean {
  return program.includes("/") ? isProgram(program) : onPath(program, { PATH: path }) !== undefined;
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
