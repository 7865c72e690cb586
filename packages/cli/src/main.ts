import { EXIT_CODES, errorMessage } from "@agentwire/protocol/support";
import type { Call } from "./command.ts";
import { PROGRAM } from "./commands/program.ts";
import { CliError, UsageError } from "./errors.ts";
import { helpOf } from "./help.ts";
import { type Io, personAt, processIo } from "./io.ts";
import { withLocation } from "./location-options.ts";
import { commandName, leadingOptions, type Parsed, parseLine } from "./parse.ts";

/** Runs the program; resolves to its exit code. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  io.stdout.on("error", (error) => leave(io, error));
  // If stderr is closed, its messages are dropped.
  io.stderr.on("error", () => {});
  let name = PROGRAM.name;
  try {
    const parsed = parseLine(PROGRAM, expandShorthand(argv, io));
    name = commandName(parsed.path);
    return await dispatch(parsed, io);
  } catch (error) {
    return reportError(io, name, error, argv.includes("--json"));
  }
}

/**
 * Expands forms that people know from other programs: `help COMMAND`, `version`, `-v`, and a prompt without `run`, as `claude` accepts
 * it. At a terminal, continuing a session without a prompt opens the screen.
 */
function expandShorthand(argv: readonly string[], io: Io): readonly string[] {
  const [first = "", ...rest] = argv;
  if (first === "help") return [...rest, "--help"];
  if (first === "version" || first === "-v") return ["--version", ...rest];
  const options = leadingOptions(PROGRAM, argv);
  if (!options.some((option) => PROMPT_OPTIONS.test(option))) return argv;
  const asRun = ["run", ...argv];
  if (options.some((option) => PRINT_OPTION.test(option)) || !personAt(io)) return asRun;
  return opensScreen(argv) ? argv : asRun;
}

function opensScreen(argv: readonly string[]): boolean {
  try {
    const { path, values } = parseLine(PROGRAM, argv);
    return path.length === 1 && !values.has("json");
  } catch {
    // There is a prompt, or an option that only `run` accepts.
    return false;
  }
}

const PROMPT_OPTIONS = /^(-p|-c|-r|--print|--continue|--resume)(=|$)/;
const PRINT_OPTION = /^(-p|--print)$/;

/** Exits when output can no longer be written: its reader is gone, as with `head`, or the disk is full. */
function leave({ stderr }: Io, { code, message }: NodeJS.ErrnoException): never {
  if (code === "EPIPE") process.exit(EXIT_CODES.done);
  stderr.write(`${PROGRAM.name}: can't write the output: ${message}\n`);
  process.exit(EXIT_CODES.turnFailed);
}

async function dispatch({ path, args, values }: Parsed, io: Io): Promise<number> {
  const command = path.at(-1) ?? PROGRAM;
  if (values.has("help") || !command.run) {
    io.stdout.write(helpOf(path));
    return EXIT_CODES.done;
  }
  const call: Call = { args, values, io: withLocation(io, values), json: values.has("json") };
  const { AGENTWIRE_ADDRESS: elsewhere } = call.io.env;
  if (command.isLocal && elsewhere)
    throw new UsageError(
      `this command needs a local daemon, but ${elsewhere} names a remote one`,
      "run it there, or name the local one: --folder DIR",
    );
  return command.run(call);
}

async function reportError(
  { stdout, stderr }: Io,
  name: string,
  error: unknown,
  json: boolean,
): Promise<number> {
  const { toCliError } = await import("./talk/rpc-error.ts");
  const known = error instanceof CliError ? error : toCliError(error);
  if (json) {
    const { message, hint, exitCode } = known ?? {
      message: errorMessage(error),
      exitCode: EXIT_CODES.internalError,
    };
    stdout.write(`${JSON.stringify({ error: { message, exitCode, ...(hint && { hint }) } })}\n`);
    return exitCode;
  }
  if (known) {
    stderr.write(`${name}: ${known.message}\n${known.hint === undefined ? "" : `  ${known.hint}\n`}`);
    return known.exitCode;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  stderr.write(`${name}: this is a bug in agentwire, please report it:\n${stack}\n`);
  return EXIT_CODES.internalError;
}
