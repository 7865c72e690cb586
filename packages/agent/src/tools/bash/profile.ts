import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, openSync, unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { signalGroup } from "@agentwire/local/process";
import { makeOutputFolder } from "../../files/output-folder.ts";
import { commandEnvironment } from "./command.ts";

/** Where a profile is taken from and kept. */
export interface ProfileLocation {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A folder that nobody else can write to. */
  readonly folder: string;
}

/** A file that gives a command what the user's shell has by its profile; undefined where there is none, or it took too long. */
export type Profile = string | undefined;

const MAX_MS = 10_000;
const READ_BY = new Map([
  ["bash", [".bashrc", ".bash_profile", ".bash_login", ".profile"]],
  ["zsh", [".zshrc", ".zshenv", ".zprofile", ".zlogin"]],
]);

/**
 * Runs the user's profile once and writes down what it made of the shell: functions, aliases, options. Each command reads that,
 * which takes a fraction of the time. Variables are the agent's own. Names with an underscore in front are helpers of completion.
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

// Patterns that only some users' shells know would make a command mean something else than what was asked about.
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
  // A profile may start something that would outlive it.
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

/** The profiles of all sessions of this process: one that has no time to end its sessions removes them as it exits. */
const files = new Set<string>();

function removeAll(): void {
  for (const path of files) removeFile(path);
}

/** The session that it was taken for is over. */
export function removeProfile(path: string): void {
  removeFile(path);
  if (files.delete(path) && files.size === 0) process.off("exit", removeAll);
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Somebody cleaned up before.
  }
}
