import type { Io } from "./io.ts";

/** An option of a command, as help and completion show it and as it is read. */
export interface Option {
  readonly name: string;
  readonly short?: string;
  /** What the value is called in help; without it the option is a switch. */
  readonly value?: string;
  readonly summary: string;
  readonly choices?: readonly string[];
  /** The value may be left out: the next word is one only if it looks like this. */
  readonly optional?: RegExp;
}

/** A command, from which dispatch, help and completion come. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** What stands behind the name, as in `SESSION [TITLE]`. */
  readonly args?: string;
  /** How many words may stand there. */
  readonly count?: readonly [least: number, most: number];
  readonly details?: string;
  readonly options?: readonly Option[];
  readonly examples?: readonly string[];
  /** Words from here on belong to another program, whatever they look like. */
  readonly passesOn?: true;
  /** It is about the daemon of this machine, whatever runs elsewhere. */
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

/** What an option with a value was given. */
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
