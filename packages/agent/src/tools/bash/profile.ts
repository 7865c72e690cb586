import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, openSync, unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { signalGroup } from "@agentwire/local/process";
import { makeOutputFolder } from "../../files/output-folder.ts";
import { commandEnvironment } from "./command.ts";

/** The profile's environment, and where to store it. */
export interface ProfileLocation {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A folder that no other user can write to. */
  readonly folder: string;
}

/** A file that gives a command the effects of the user's profile; undefined if there is none, or it took too long. */
export type Profile = string | undefined;

const MAX_MS = 10_000;
const READ_BY = new Map([
  ["bash", [".bashrc", ".bash_profile", ".bash_login", ".profile"]],
  ["zsh", [".zshrc", ".zshenv", ".zprofile", ".zlogin"]],
]);

/**
 * Runs the user's profile once and records its functions, aliases and options. Reading the record for each command takes a
 * fraction of the time. Variables stay those of the agent. Names that start with an underscore are completion helpers and are
 * left out.
 */
export async function takeProfile(shell: string, { env, folder }: ProfileLocation): Promise<Profile> {
  const home = env.HOME;
  const kind = basename(shell);
  const script = SCRIPTS.get(kind);
  const read = READ_BY.get(kind) ?? [];
  if (!script || !home || !read.some((file) => existsSync(join(home, file)))) return undefined;
  makeOutputFolder(folder);
  const path = join(folder, `profile-${randomBytes(6).toString("hex")}.sh`);
  const output = openSync(path, "wx", 0o600);
  if (files.size === 0) process.on("exit", removeAll);
  files.add(path);
  try {
    const child = spawn(shell, ["-l", "-c", script], {
      cwd: home,
      env: commandEnvironment(env),
      stdio: ["ignore", "ignore", "ignore", output],
      detached: true,
    });
    return (await succeeds(child)) ? path : undefined;
  } finally {
    closeSync(output);
  }
}

// Pattern features that only some users' shells enable would change the meaning of a command after it was approved.
const BASH = `
[ -r ~/.bashrc ] && . ~/.bashrc
{
  shopt -p
  set +o | while read -r line; do
    case $line in *monitor | *errexit | 'set +o '*) ;; *) printf '%s\\n' "$line" ;; esac
  done
  while read -r _ _ name; do
    case $name in _*) ;; *) declare -f -- "$name" ;; esac
  done < <(declare -F)
  alias -p
  printf '%s\\n' 'shopt -s expand_aliases' 'shopt -u extglob'
} >&3 2>/dev/null
exit 0`;

const ZSH = `
[ -r ~/.zshrc ] && . ~/.zshrc
{
  setopt | while read -r name; do
    case $name in login|interactive|monitor|zle|shinstdin|errexit) ;; *) print -r -- "setopt $name" ;; esac
  done
  for name in \${(k)functions}; do
    case $name in _*) ;; *) typeset -f -- "$name" ;; esac
  done
  alias -L
  print -r -- 'setopt noextendedglob'
} >&3 2>/dev/null
exit 0`;

const SCRIPTS = new Map([
  ["bash", BASH],
  ["zsh", ZSH],
]);

async function succeeds(child: ChildProcess): Promise<boolean> {
  // A profile may start a process that would outlive it.
  const timer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), MAX_MS);
  try {
    return await new Promise<boolean>((resolve) => {
      child.once("error", () => resolve(false));
      child.once("exit", (code) => resolve(code === 0));
    });
  } finally {
    clearTimeout(timer);
  }
}

/** The stored profiles of all sessions of this process; if it has no time to end its sessions, it removes them on exit. */
const files = new Set<string>();

function removeAll(): void {
  for (const path of files) removeFile(path);
}

/** Removes the profile of a session that has ended. */
export function removeProfile(path: string): void {
  removeFile(path);
  if (files.delete(path) && files.size === 0) process.off("exit", removeAll);
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The file has already been removed.
  }
}
