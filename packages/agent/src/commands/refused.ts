import type { Command } from "./command.ts";

/** Stands in for a command of the official CLI that this agent does not have, and says what to do instead. */
export function refused(name: string, instead: string): Command {
  return ({ complain }) => {
    complain(`agentwire-agent: the command "${name}" is not supported: ${instead}\n`);
    return 1;
  };
}
