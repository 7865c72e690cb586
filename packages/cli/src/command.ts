import type { Io } from "./io.ts";

/** An option of a command: how it is parsed, and how help and completion show it. */
export interface Option {
  readonly name: string;
  readonly short?: string;
  /** The placeholder of the value in help; without it the option is a switch. */
  readonly value?: string;
  readonly summary: string;
  readonly choices?: readonly string[];
  /** Set if the value is optional: the next word is taken as the value only if it matches. */
  readonly optional?: RegExp;
}

/** A command: the source of dispatch, help and completion. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The arguments after the name, as in `SESSION [TITLE]`. */
  readonly args?: string;
  /** The allowed number of arguments. */
  readonly count?: readonly [min: number, max: number];
  readonly details?: string;
  readonly options?: readonly Option[];
  readonly examples?: readonly string[];
  /** All following words, options included, are passed to another program. */
  readonly passesOn?: true;
  /** The command works only with the daemon on this machine, never with a remote one. */
  readonly isLocal?: true;
  readonly subcommands?: readonly Command[];
  /** Resolves to the exit code. */
  readonly run?: (call: Call) => Promise<number>;
}

/** A command as it was called. */
export interface Call {
  readonly args: readonly string[];
  readonly values: ReadonlyMap<string, string | true>;
  readonly io: Io;
  /** Whether a program reads the output. */
  readonly json: boolean;
}

/** The value given to an option, or undefined. */
export function textOption({ values }: Call, name: string): string | undefined {
  const value = values.get(name);
  return value === true ? undefined : value;
}

/** Whether a switch was given. */
export const hasOption = ({ values }: Call, name: string): boolean => values.has(name);

/** Options that every command has. */
export const COMMON_OPTIONS: readonly Option[] = [
  { name: "json", summary: "prints JSON, for programs" },
  { name: "folder", value: "DIR", summary: "the daemon's folder, instead of AGENTWIRE_HOME" },
  {
    name: "address",
    value: "URL",
    summary: "a remote daemon, or nodes of a cluster: URL,URL (AGENTWIRE_ADDRESS)",
  },
  { name: "help", short: "h", summary: "prints this help" },
];
