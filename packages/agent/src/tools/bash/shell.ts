import { basename, isAbsolute } from "node:path";

/** Runs the command. Evaluated apart, so that a syntax error shows only the command. */
export const RUNNING = `eval "$1"`;

/** The same for a command that was judged: with `CDPATH` its `cd` could lead elsewhere than it says. */
export const AS_JUDGED = `unset CDPATH 2>/dev/null; ${RUNNING}`;

/** The same, and in the end it writes the folder that the command has led to on descriptor 3; a trap, so that `exit` reports too. */
export const REPORTING = `trap 'command pwd -P >&3 2>/dev/null' EXIT; ${AS_JUDGED}`;

/** The same with what the user's profile made of their shell, from the file that is the second parameter. */
export function withProfile(script: string): string {
  return `. "$2" >/dev/null 2>&1; ${script}`;
}

/** Lets a script begin by naming its process group on a descriptor: an agent killed meanwhile can't lose it. */
export function announced(script: string, descriptor: number): string {
  return `printf '+ %d\\n' $$ >&${descriptor}; exec ${descriptor}>&-; ${script}`;
}

/** The shells to try for a user, best first: their own if commands written for bash run in it. */
export function shellsFor(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const own = env.SHELL ?? "";
  const isUsable = isAbsolute(own) && ["bash", "zsh"].includes(basename(own));
  return [...(isUsable ? [own] : []), "bash", "sh"];
}

/** The environment of commands: they can tell that an agent runs them, and for whom, and git never waits in an editor. */
export function commandEnvironment(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  const entrypoint = env.CLAUDE_CODE_ENTRYPOINT ?? "sdk-cli";
  return { ...env, CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: entrypoint, GIT_EDITOR: "true" };
}
