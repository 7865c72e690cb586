import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { basename, isAbsolute } from "node:path";
import type { Writable } from "node:stream";
import { onPath } from "@agentwire/local/files";
import { endGroup, type ProcessGroups } from "@agentwire/local/process";
import { ownRipgrep } from "../../files/own-ripgrep.ts";
import { quoted } from "../../sandbox/command-line.ts";
import type { Inside } from "../../sandbox/sandbox.ts";
import type { ToolContext } from "../tool.ts";
import type { BashInput } from "./input.ts";
import { type Profile, removeProfile, takeProfile } from "./profile.ts";
import { endReadyShell, runInReadyShell } from "./ready-shell.ts";

/** Runs the command. Evaluated apart, so that a syntax error shows only the command. */
export const RUNNING = `eval "$1"`;

/** The same for a command that was judged: with `CDPATH` its `cd` could lead elsewhere than it says. */
export const AS_JUDGED = `unset CDPATH 2>/dev/null; ${RUNNING}`;

/** The same, and in the end it writes the folder that the command has led to on descriptor 3; a trap, so that `exit` reports too. */
export const REPORTING = `trap 'command pwd -P >&3 2>/dev/null' EXIT; ${AS_JUDGED}`;

/** The same with what the user's profile made of their shell, from the file that is the second parameter. */
function withProfile(script: string): string {
  return `. "$2" >/dev/null 2>&1; ${script}`;
}

/** What gives commands the agent's own ripgrep as `rg` where the machine has none, as the official agent does. */
async function rgFunction(env: CommandSpec["env"]): Promise<string> {
  if (program("rg", env) !== "rg") return "";
  const path = await ownRipgrep();
  return path === undefined ? "" : `rg() { ${quoted(path)} "$@"; }; `;
}

/** Lets a script begin by naming its process group on a descriptor: an agent killed meanwhile can't lose it. */
export function announced(script: string, descriptor: number): string {
  return `printf '+ %d\\n' $$ >&${descriptor}; exec ${descriptor}>&-; ${script}`;
}

/** The shells to try for a user, best first: their own if commands written for bash run in it. */
function shellsFor(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const own = env.SHELL ?? "";
  const isUsable = isAbsolute(own) && ["bash", "zsh"].includes(basename(own));
  return [...(isUsable ? [own] : []), "bash", "sh"];
}

/** The environment of commands: they can tell that an agent runs them, and for whom, and git never waits in an editor. */
export function commandEnvironment(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  const entrypoint = env.CLAUDE_CODE_ENTRYPOINT ?? "sdk-cli";
  return { ...env, CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: entrypoint, GIT_EDITOR: "true" };
}

/** A command to start. */
export interface CommandSpec {
  readonly command: string;
  /** What the shell runs, with the command as its first parameter. */
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What it alone finds in its environment beside that. */
  readonly ownEnvironment?: Readonly<Record<string, string>> | undefined;
  readonly groups: ProcessGroups;
  /** Where what commands write and what the user's profile makes of the shell is kept. */
  readonly outputFolder: string;
  /** The sandbox that it runs in, if it is to. */
  readonly inside?: Inside | undefined;
  /** The descriptors it gets as 1, 2 and so on; its input is empty. */
  readonly descriptors: readonly number[];
  /** The same files by their names in that folder, where the conversation waits for it: then it may run in a shell that is ready. */
  readonly files?: readonly string[];
}

/** A command that runs as the leader of its own process group. */
export interface RunningCommand {
  readonly group: number;
  /** Resolves to the exit code when the shell has ended; what it left in the background doesn't count. */
  readonly exited: Promise<number>;
  /** What the sandbox has denied it so far. */
  violations(): readonly string[];
  /** Ends it with everything in its group. */
  kill(): Promise<void>;
}

/** Starts a command in the first shell that is there. */
export async function startCommand(spec: CommandSpec): Promise<RunningCommand> {
  spec.groups.sweep();
  const guard = spec.groups.prepare();
  let problem: unknown;
  for (const shell of shellsFor(spec.env)) {
    try {
      return await startIn(shell, spec, guard);
    } catch (error) {
      problem = error;
      if (codeOf(error) !== "ENOENT") break;
    }
  }
  throw explain(problem);
}

async function startIn(shell: string, spec: CommandSpec, guard: Writable): Promise<RunningCommand> {
  const profile = await profileOf(shell, spec);
  const ahead = await rgFunction(spec.env);
  const script = ahead + (profile ? withProfile(spec.script) : spec.script);
  const { command, inside } = spec;
  const ready = inside ? undefined : await readyShell(shell, { ahead, profile }, spec);
  if (ready) {
    const { group, exited } = ready;
    return { group, exited, violations: () => [], kill: () => endGroup(group) };
  }
  const entered =
    inside && (await inside.sandbox.enter({ roots: inside.roots, shell, script, command, profile }));
  const lastDescriptor = spec.descriptors.length + 1;
  const args = entered
    ? ["-c", announced(entered.script, lastDescriptor)]
    : ["-c", announced(script, lastDescriptor), shell, command, ...(profile ? [profile] : [])];
  const child = spawn(program(entered ? "sh" : shell, spec.env), args, {
    cwd: spec.cwd,
    env: { ...commandEnvironment({ ...spec.env, ...spec.ownEnvironment }), ...entered?.env },
    stdio: ["ignore", ...spec.descriptors, guard],
    detached: true,
  });
  child.once("error", () => entered?.leave()).once("exit", () => entered?.leave());
  const exited = exitCode(child);
  const { pid } = child;
  // Before anything is awaited: from here on the group must not be lost.
  if (pid !== undefined) spec.groups.add(pid);
  await once(child, "spawn");
  if (pid === undefined) throw new Error("the shell has no process id");
  return { group: pid, exited, violations: () => entered?.violations() ?? [], kill: () => endGroup(pid) };
}

/** Has it run by a shell that is ready, if there is to be one for such a command. */
async function readyShell(
  name: string,
  { ahead, profile }: { readonly ahead: string; readonly profile: Profile },
  spec: CommandSpec,
) {
  const { command, files, script, cwd, env, ownEnvironment = {}, groups, outputFolder: outputs } = spec;
  if (!files || Object.keys(ownEnvironment).length > 0) return undefined;
  const surroundings = { program: program(name, env), name, cwd, env, profile, outputs };
  return runInReadyShell(
    { command, files },
    { surroundings, environment: commandEnvironment(env), ahead, script, groups },
  );
}

const programs = new Map<string, string>();

/** The path of a program, looked up once: the system would try every folder of PATH with each call. */
function program(name: string, env: CommandSpec["env"]): string {
  if (isAbsolute(name)) return name;
  const key = `${name}:${env.PATH ?? ""}`;
  const known = programs.get(key) ?? onPath(name, env) ?? name;
  programs.set(key, known);
  return known;
}

const profiles = new WeakMap<ProcessGroups, Map<string, Promise<Profile>>>();

/** The user's profile, taken with the first command of a session. */
function profileOf(shell: string, { groups, env, outputFolder: folder }: CommandSpec): Promise<Profile> {
  const known = profiles.get(groups) ?? new Map<string, Promise<Profile>>();
  profiles.set(groups, known);
  const profile = known.get(shell) ?? takeProfile(shell, { env, folder });
  known.set(shell, profile);
  return profile;
}

/** Ends the shell that is ready for a session that is over, and removes what was kept of the user's profile. */
export async function forgetShells(groups: ProcessGroups): Promise<void> {
  endReadyShell(groups);
  const taken = await Promise.all(profiles.get(groups)?.values() ?? []);
  profiles.delete(groups);
  for (const profile of taken) if (profile !== undefined) removeProfile(profile);
}

function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

function explain(problem: unknown): Error {
  const text =
    codeOf(problem) === "E2BIG"
      ? "The command is too long to be started. Write it to a file and run that."
      : `The command could not be started: ${problem instanceof Error ? problem.message : String(problem)}`;
  return new Error(text, { cause: problem });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** The sandbox that a command runs in; undefined where it runs outside, which the gate has judged by the same words. */
export function insideOf(
  { command, wantsOut }: Pick<BashInput, "command" | "wantsOut">,
  { workspace: { sandbox, roots }, sandboxed }: Pick<ToolContext, "workspace" | "sandboxed">,
): Inside | undefined {
  const isInside = sandboxed || sandbox?.place(command, wantsOut) === "inside";
  return sandbox && isInside ? { sandbox, roots } : undefined;
}
