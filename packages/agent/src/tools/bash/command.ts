import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
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

/** Runs the command. It is evaluated separately, so that a syntax error shows only the command. */
export const RUNNING = `eval "$1"`;

/** Like `RUNNING`, for a command that the gate has evaluated: with `CDPATH`, its `cd` could lead somewhere else. */
export const AS_JUDGED = `unset CDPATH 2>/dev/null; ${RUNNING}`;

/**
 * Like `AS_JUDGED`; at the end it writes the shell's directory to descriptor 3, in a trap so that this also happens after `exit`.
 */
export const REPORTING = `trap 'command pwd -P >&3 2>/dev/null' EXIT; ${AS_JUDGED}`;

/** Adds the effects of the user's profile to a script, from the file that is the second parameter. */
function withProfile(script: string): string {
  return `. "$2" >/dev/null 2>&1; ${script}`;
}

/** Provides the agent's own ripgrep to commands as `rg` if the machine has none, as the official agent does. */
function rgFunction(env: CommandSpec["env"]): string {
  if (program("rg", env) !== "rg") return "";
  const path = ownRipgrep();
  return path === undefined ? "" : `rg() { ${quoted(path)} "$@"; }; `;
}

/**
 * Makes a script first write the id of its process group to a descriptor, so that the group is known even if the agent is killed
 * meanwhile.
 */
export function announced(script: string, descriptor: number): string {
  return `printf '+ %d\\n' $$ >&${descriptor}; exec ${descriptor}>&-; ${script}`;
}

/** The shells to try for a user, best first: the user's own comes first if it can run commands written for bash. */
function shellsFor(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const own = env.SHELL ?? "";
  const isUsable = isAbsolute(own) && ["bash", "zsh"].includes(basename(own));
  return [...(isUsable ? [own] : []), "bash", "sh"];
}

/**
 * The environment of commands: it tells them that an agent runs them and what started it, and keeps git from waiting in an
 * editor.
 */
export function commandEnvironment(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  const entrypoint = env.CLAUDE_CODE_ENTRYPOINT ?? "sdk-cli";
  return { ...env, CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: entrypoint, GIT_EDITOR: "true" };
}

/** A command to start. */
export interface CommandSpec {
  readonly command: string;
  /** The script for the shell; its first parameter is the command. */
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Additional environment variables for this command only. */
  readonly ownEnvironment?: Readonly<Record<string, string>> | undefined;
  readonly groups: ProcessGroups;
  /** Where the outputs of commands and the effects of the user's profile are stored. */
  readonly outputFolder: string;
  /** The sandbox to run in, if any. */
  readonly inside?: Inside | undefined;
  /** The descriptors it gets as 1, 2 and so on; its stdin is empty. */
  readonly descriptors: readonly number[];
  /**
   * The names of the same files in that folder, if the conversation waits for the command, which may then run in a ready shell.
   */
  readonly files?: readonly string[];
}

/** A command that runs as the leader of its own process group. */
export interface RunningCommand {
  readonly group: number;
  /** Resolves to the exit code when the shell has ended, even if it left processes in the background. */
  readonly exited: Promise<number>;
  /** The accesses that the sandbox has denied so far. */
  violations(): readonly string[];
  /** Ends it along with its whole process group. */
  kill(): Promise<void>;
}

/** Starts a command in the first shell that exists. */
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
  throw explain(problem, spec.cwd);
}

async function startIn(shell: string, spec: CommandSpec, guard: Writable): Promise<RunningCommand> {
  const profile = await profileOf(shell, spec);
  const ahead = rgFunction(spec.env);
  const script = ahead + (profile ? withProfile(spec.script) : spec.script);
  const { command, inside } = spec;
  const ready = inside ? undefined : await readyShell(shell, { ahead, profile }, spec);
  if (ready) return { ...ready, violations: () => [] };
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
  // Before any await: from here on the group must not be lost.
  if (pid !== undefined) spec.groups.add(pid);
  await once(child, "spawn");
  if (pid === undefined) throw new Error("the shell has no process id");
  return { group: pid, exited, violations: () => entered?.violations() ?? [], kill: () => endGroup(pid) };
}

/** Runs a command in a ready shell, if it is suitable for one. */
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

/** The path of a program, looked up once: otherwise the system would search all of PATH on each call. */
function program(name: string, env: CommandSpec["env"]): string {
  if (isAbsolute(name)) return name;
  const key = `${name}:${env.PATH ?? ""}`;
  const known = programs.get(key) ?? onPath(name, env) ?? name;
  programs.set(key, known);
  return known;
}

const profiles = new WeakMap<ProcessGroups, Map<string, Promise<Profile>>>();

/** The effects of the user's profile, determined with the first command of a session. */
function profileOf(shell: string, { groups, env, outputFolder: folder }: CommandSpec): Promise<Profile> {
  const known = profiles.get(groups) ?? new Map<string, Promise<Profile>>();
  profiles.set(groups, known);
  const profile = known.get(shell) ?? takeProfile(shell, { env, folder });
  known.set(shell, profile);
  return profile;
}

/** Ends the ready shell of a session that has ended, and removes its copy of the user's profile. */
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

function explain(problem: unknown, cwd: string): Error {
  return new Error(reasonOf(problem, cwd), { cause: problem });
}

function reasonOf(problem: unknown, cwd: string): string {
  const code = codeOf(problem);
  if (code === "E2BIG") return "The command is too long to be started. Write it to a file and run that.";
  // The system reports a missing folder as if the shell were missing.
  if (code === "ENOENT" && !existsSync(cwd))
    return `The command could not be started, because the working folder ${cwd} does not exist any more. To create it again, write a file in it.`;
  return `The command could not be started: ${problem instanceof Error ? problem.message : String(problem)}`;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** The sandbox that a command runs in; undefined if it runs outside. The gate has decided by the same criteria. */
export function insideOf(
  { command, wantsOut }: Pick<BashInput, "command" | "wantsOut">,
  { workspace: { sandbox, roots }, sandboxed }: Pick<ToolContext, "workspace" | "sandboxed">,
): Inside | undefined {
  const isInside = sandboxed || sandbox?.place(command, wantsOut) === "inside";
  return sandbox && isInside ? { sandbox, roots } : undefined;
}
