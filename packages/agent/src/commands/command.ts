import { type ParseArgsConfig, parseArgs } from "node:util";
import { errorMessage } from "@agentwire/protocol/support";
import type { Config } from "../config/config.ts";
import { UsageError } from "../usage-error.ts";

/** The input and output of a command that runs instead of a conversation. */
export interface CommandCall {
  readonly config: Config;
  /** The arguments after the command's name. */
  readonly args: readonly string[];
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** Runs a command; resolves to the exit code. */
export type Command = (call: CommandCall) => Promise<number> | number;

type Options = NonNullable<ParseArgsConfig["options"]>;

/** What `parseArgs` returns for these options. */
type Read<T extends Options> = ReturnType<
  typeof parseArgs<{ options: T; allowPositionals: true; strict: true }>
>;

/** Parses the options of a command; throws a `UsageError` for unknown ones. */
export function readOptions<const T extends Options>(args: readonly string[], options: T): Read<T> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (cause) {
    throw new UsageError(errorMessage(cause), { cause });
  }
}

/** A command that runs the subcommand named by the next word. */
export function choose(name: string, commands: ReadonlyMap<string, Command>, usage: string): Command {
  return (call) => {
    const [word, ...args] = call.args;
    if (word === "--help" || word === "-h" || word === "help") {
      call.print(usage);
      return 0;
    }
    const command = word === undefined ? undefined : commands.get(word);
    if (command) return command({ ...call, args });
    call.complain(word === undefined ? usage : `agentwire-agent ${name}: unknown command ${word}\n${usage}`);
    return 1;
  };
}
