import type { Command } from "./command.ts";

/** A command of the official CLI that this agent does not have; it says what to do instead. */
export function refused(name: string, instead: string): Command {
  return ({ complain }) => {
    complain(`agentwire-agent: the command "${name}" is not supported: ${instead}\n`);
    return 1;
  };
}
