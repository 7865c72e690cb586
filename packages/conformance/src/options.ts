import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { isProgram, onPath } from "@agentwire/local/files";

/** An invalid command line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

type Options = NonNullable<ParseArgsConfig["options"]>;
type Read<O extends Options> = ReturnType<typeof parseArgs<{ allowPositionals: true; options: O }>>;

/** Parses a command line: the arguments of this program before `--`, the command of the program under test after it. */
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

/**
 * Throws if the command is missing or can't be started, so that this is reported once and not for each of a hundred scenarios.
 */
export function checkCommand(
  what: "agent" | "host",
  command: readonly string[],
  path: string | undefined,
): void {
  const [program] = command;
  if (program === undefined) throw new UsageError(`no ${what} given: put its command after --`);
  if (!isThere(program, path)) throw new UsageError(`${what} program not found: ${program}`);
}

/** Whether a program exists, by its path or on PATH. */
export function isThere(program: string, path: string | undefined): boolean {
  return program.includes("/") ? isProgram(program) : onPath(program, { PATH: path }) !== undefined;
}

/** Runs a parser of a command line; its errors become usage errors. */
export function reading<T>(parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
}

/** The value of an option that must be a positive number. */
export function positive(option: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new UsageError(`${option} must be a positive integer, not ${text}`);
}

/** Makes file names in a command absolute, because the program runs in another folder. */
function absolute(command: readonly string[], cwd: string): readonly string[] {
  return command.map((word, index) => {
    const isLookedUp = index === 0 && !word.includes("/");
    return !isLookedUp && existsSync(resolve(cwd, word)) ? resolve(cwd, word) : word;
  });
}
