import type { Writable } from "node:stream";
import type { Config } from "../config/config.ts";
import { type Flags, parseFlags } from "../config/flags.ts";
import { UsageError } from "../usage-error.ts";
import type { Command } from "./command.ts";

/** What a command needs of the program's surroundings. */
interface Surroundings {
  readonly configure: (flags: Flags) => Promise<Config>;
  readonly output: Writable;
  complain(text: string): void;
}

/** Runs a command with the arguments after its name; resolves to the exit code. Flags before the name configure the agent. */
export async function runCommand(
  command: () => Promise<Command>,
  argv: readonly string[],
  { firstWordAt = 0 }: Flags,
  { configure, output, complain }: Surroundings,
): Promise<number> {
  try {
    const config = await configure(parseFlags(argv.slice(0, firstWordAt)));
    const run = await command();
    return await run({
      config,
      args: argv.slice(firstWordAt + 1),
      print: (text) => void output.write(text),
      complain,
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(`agentwire-agent: ${error.message}\n`);
    return 1;
  }
}
