import { openSync } from "node:fs";
import { ReadStream, type WriteStream } from "node:tty";
import { CliError } from "./errors.ts";

/** What a command may use of its process: streams, environment, current directory. */
export interface Io {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream & { readonly fd: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The path of the running program, used to start it again. */
  readonly program: string;
}

/** A person at a terminal: where their keys come from and where output is shown. */
export interface Person {
  readonly keys: ReadStream;
  readonly screen: WriteStream;
}

/** The `Io` of the current process. */
export function processIo(): Io {
  const { stdin, stdout, stderr, env, argv } = process;
  return {
    stdin,
    stdout,
    stderr,
    env,
    get cwd() {
      return folderOfProcess();
    },
    program: argv[1] ?? "",
  };
}

function folderOfProcess(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new CliError("the current directory no longer exists", { hint: "cd to an existing one", cause });
  }
}

/** The person at the terminal, if there is one. Output is shown on stdout, or on stderr if stdout is redirected. */
export function personAt(io: Io): Person | undefined {
  const screen = screenOf(io);
  return io.stdin.isTTY && screen ? { keys: io.stdin, screen } : undefined;
}

/** The person at the terminal of a process whose stdin is a pipe that has already been read. */
export function personBehindPipe(io: Io): Person | undefined {
  const screen = screenOf(io);
  if (!screen) return undefined;
  try {
    return { keys: new ReadStream(openSync("/dev/tty", "r")), screen };
  } catch {
    // No terminal controls the process.
    return undefined;
  }
}

const screenOf = ({ stdout, stderr }: Io) => (stdout.isTTY ? stdout : stderr.isTTY ? stderr : undefined);
