import { openSync } from "node:fs";
import { ReadStream, type WriteStream } from "node:tty";
import { CliError } from "./errors.ts";

/** The world of a command: its streams, its environment, its folder. */
export interface Io {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream & { readonly fd: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The file that was started, to start it again. */
  readonly program: string;
}

/** A person at a terminal, who sees what is written and whose keys are heard. */
export interface Person {
  readonly keys: ReadStream;
  readonly screen: WriteStream;
}

/** The world as the process has it. */
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

/** The person at the terminal, if there is one: on stdout, or beside a stdout that goes elsewhere. */
export function personAt(io: Io): Person | undefined {
  const screen = screenOf(io);
  return io.stdin.isTTY && screen ? { keys: io.stdin, screen } : undefined;
}

/** The person at the terminal of a process whose stdin is a pipe, which has said all it has to say. */
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
