import { basename, isAbsolute } from "node:path";

// A trap, so that a command that ends with `exit` reports too. Evaluated apart, so that a syntax error shows only the command.
const REPORTING = `trap 'command pwd -P >&3 2>/dev/null' EXIT; eval "$1"`;

/** The shells to try for a user, best first: their own if commands written for bash run in it. */
export function shellsFor(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const own = env.SHELL ?? "";
  const isUsable = isAbsolute(own) && ["bash", "zsh"].includes(basename(own));
  return [...(isUsable ? [own] : []), "bash", "sh"];
}

/** The arguments of a shell that runs a command. */
export function runningArguments(command: string): readonly string[] {
  return ["-c", command];
}

/** The same, and in the end it writes the folder that the command has led to on descriptor 3. */
export function reportingArguments(command: string): readonly string[] {
  return ["-c", REPORTING, "bash", command];
}

/** The environment of commands: they can tell that an agent runs them, and git never waits in an editor. */
export function commandEnvironment(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return { ...env, CLAUDECODE: "1", GIT_EDITOR: "true" };
}
