import type { Readable, Writable } from "node:stream";

type Env = { [name: string]: string | undefined };

/** The agent to start, for a function that starts it in the host's own way. */
export interface SpawnOptions {
  command: string;
  args: string[];
  cwd?: string;
  env: Env;
  /** Aborted when the program must end. */
  signal: AbortSignal;
}

type ExitListener = (code: number | null, signal: NodeJS.Signals | null) => void;
type ErrorListener = (error: Error) => void;

/** An agent that was started elsewhere: a child process, or an object that represents a remote one. */
export interface SpawnedProcess {
  stdin: Writable;
  stdout: Readable;
  readonly killed: boolean;
  readonly exitCode: number | null;
  readonly signalCode?: NodeJS.Signals | null;
  kill(signal: NodeJS.Signals): boolean;
  on(event: "exit", listener: ExitListener): void;
  on(event: "error", listener: ErrorListener): void;
  once(event: "exit", listener: ExitListener): void;
  once(event: "error", listener: ErrorListener): void;
  off(event: "exit", listener: ExitListener): void;
  off(event: "error", listener: ErrorListener): void;
}
