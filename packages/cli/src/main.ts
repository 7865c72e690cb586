import { resolve } from "node:path";
import { EXIT_CODES } from "@agentwire/protocol";
import type { Call } from "./command.ts";
import { PROGRAM } from "./commands/program.ts";
import { CliError } from "./errors.ts";
import { helpOf } from "./help.ts";
import { type Io, processIo } from "./io.ts";
import { commandName, type Parsed, parseLine } from "./parse.ts";

/** Runs the program; resolves to its exit code. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  // Whoever reads our output may stop doing so, as `head` does; what stands beside it is then said to nobody.
  io.stdout.on("error", (error) => leave(error, () => process.exit(EXIT_CODES.done)));
  io.stderr.on("error", (error) => leave(error, () => {}));
  let name = PROGRAM.name;
  try {
    const parsed = parseLine(PROGRAM, argv);
    name = commandName(parsed.path);
    return await dispatch(parsed, io);
  } catch (error) {
    return tell(io, name, error, argv.includes("--json"));
  }
}

function leave(error: NodeJS.ErrnoException, onClosed: () => void): void {
  if (error.code !== "EPIPE") throw error;
  onClosed();
}

async function dispatch({ path, args, values }: Parsed, io: Io): Promise<number> {
  const command = path.at(-1) ?? PROGRAM;
  if (values.has("help") || !command.run) {
    io.stdout.write(helpOf(path));
    return EXIT_CODES.done;
  }
  const call: Call = { args, values, io: withFolder(io, values.get("folder")), json: values.has("json") };
  return command.run(call);
}

/** `--folder` says what AGENTWIRE_HOME would. */
function withFolder(io: Io, folder: string | true | undefined): Io {
  return typeof folder === "string"
    ? { ...io, env: { ...io.env, AGENTWIRE_HOME: resolve(io.cwd, folder) } }
    : io;
}

async function tell({ stdout, stderr }: Io, name: string, error: unknown, json: boolean): Promise<number> {
  const { toCliError } = await import("./talk/rpc-error.ts");
  const known = error instanceof CliError ? error : toCliError(error);
  if (json) {
    const { message, hint, exitCode } = known ?? {
      message: textOf(error),
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
  stderr.write(`${name}: this is a bug of agentwire, please report it:\n${stack}\n`);
  return EXIT_CODES.internalError;
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
