import { execFile } from "node:child_process";
import { WorktreeError } from "./error.ts";

/** The environment variables passed to git. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Options for one git call. */
export interface GitOptions {
  /** The index to use instead of the worktree's. */
  readonly index?: string;
  /** The text written to its stdin. */
  readonly input?: string;
  readonly timeoutMs?: number;
  /** The call fails if it prints more than this. */
  readonly maxBytes?: number;
  /** Exit codes besides 0 that are not errors. */
  readonly codes?: readonly number[];
  /** Additional environment variables. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** The result of a git call. */
export interface GitAnswer {
  readonly code: number;
  readonly stdout: string;
}

/** Git in one folder, prevented from running programs that the repository configures. */
export interface Git {
  readonly folder: string;
  /** Returns its output; throws a `WorktreeError` with git's message if it fails. */
  run(args: readonly string[], options?: GitOptions): Promise<string>;
  /** The same with the exit code, for calls where several codes are expected. */
  ask(args: readonly string[], options?: GitOptions): Promise<GitAnswer>;
  /** Git in another folder of the same repository. */
  at(folder: string): Git;
}

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_REASON_CHARS = 2000;

/** The GIT_* variables to keep: the committer's identity and the location of the user's configuration. Others may redirect to another repository. */
const KEPT =
  /^GIT_(?:AUTHOR_(?:NAME|EMAIL)|COMMITTER_(?:NAME|EMAIL)|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|EXEC_PATH|CEILING_DIRECTORIES)$/;

/** A repository's files must not decide what runs here. */
const SETTINGS: Readonly<Record<string, string>> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.pager": "cat",
  "core.sshCommand": "false",
  "core.askPass": "false",
  "commit.gpgSign": "false",
  "credential.helper": "",
  "gc.auto": "0",
  "gpg.program": "false",
  "maintenance.auto": "false",
  "protocol.allow": "never",
  "safe.bareRepository": "explicit",
  "submodule.recurse": "false",
};

const VARIABLES: Readonly<Record<string, string>> = {
  GIT_ALLOW_PROTOCOL: "none",
  // Git treats this as an editor that changes nothing, without starting a process.
  GIT_EDITOR: ":",
  GIT_MERGE_AUTOEDIT: "no",
  GIT_NO_LAZY_FETCH: "1",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
};

/** Repository settings that make git run programs while reading or writing files, with values that disable them. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/^filter\..*\.(?:clean|smudge|process)$/s, ""],
  [/^filter\..*\.required$/s, "false"],
  // A failing driver leaves a conflict, which is reported; an empty one would silently keep one side.
  [/^merge\..*\.driver$/s, "false"],
  [/^branch\..*\.mergeoptions$/s, ""],
];

/** Opens git in a folder. Programs from the user's own configuration (such as Git LFS) run; those from the repository's do not. */
export async function openGit(folder: string, env: Environment, signal?: AbortSignal): Promise<Git> {
  const base = { ...without(env), ...VARIABLES };
  const named = await call(folder, { ...base, ...configured(SETTINGS) }, signal, NAMED_PROGRAMS, {
    codes: [1],
  });
  const settings = { ...SETTINGS, ...harmless(named.stdout) };
  return bound(folder, { ...base, ...configured(settings) }, signal);
}

const NAMED_PROGRAMS = [
  "config",
  "--includes",
  "--show-scope",
  "-z",
  "--get-regexp",
  "^(filter|merge|branch)\\.",
];

function bound(folder: string, env: Environment, signal: AbortSignal | undefined): Git {
  return {
    folder,
    run: async (args, options) => (await call(folder, env, signal, args, options)).stdout,
    ask: (args, options) => call(folder, env, signal, args, options),
    at: (other) => bound(other, env, signal),
  };
}

/** Overrides for the settings in which a repository names programs: the user's own values, or disabled. */
function harmless(listed: string): Record<string, string> {
  const own = new Map<string, string>();
  const strange = new Map<string, string>();
  const fields = listed.split("\0");
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [key = "", ...lines] = (fields[at + 1] ?? "").split("\n");
    const none = PROGRAMS.find(([pattern]) => pattern.test(key))?.[1];
    if (none === undefined) continue;
    if (fields[at] === "system" || fields[at] === "global") own.set(key, lines.join("\n"));
    else strange.set(key, none);
  }
  return Object.fromEntries([...strange].map(([key, none]) => [key, own.get(key) ?? none]));
}

function configured(settings: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(settings);
  // Not with `-c`, because a name may contain an equals sign.
  const pairs = entries.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(entries.length) };
}

const without = (env: Environment) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_") || KEPT.test(name)));

function call(
  folder: string,
  env: Environment,
  signal: AbortSignal | undefined,
  args: readonly string[],
  { index, input, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, codes = [], variables }: GitOptions = {},
): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd: folder,
      env: { ...env, ...variables, ...(index !== undefined && { GIT_INDEX_FILE: index }) },
      timeout: timeoutMs,
      maxBuffer: maxBytes,
      windowsHide: true,
      ...(signal && { signal }),
    };
    const child = execFile("git", [...args], options, (error, stdout, stderr) => {
      if (!error) return resolve({ code: 0, stdout });
      const { code } = error as { code?: number | string };
      if (typeof code === "number" && codes.includes(code)) return resolve({ code, stdout });
      reject(failure(args, error, stderr, timeoutMs));
    });
    // If git ends before it has read everything, its exit code shows that.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input ?? "");
  });
}

function failure(args: readonly string[], error: Error, stderr: string, timeoutMs: number): Error {
  const { code, killed } = error as { code?: number | string; killed?: boolean };
  if (error.name === "AbortError") return error;
  if (code === "ENOENT")
    return new WorktreeError("git_missing", "git was not found: install it (Debian: apt-get install git)", {
      cause: error,
    });
  const what = `git ${args[0]}`;
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER")
    return new WorktreeError("too_large", `${what} printed too much`, { cause: error });
  if (killed && stderr.trim() === "")
    return new WorktreeError("git_failed", `${what} took longer than ${timeoutMs / 1000} s`, {
      cause: error,
    });
  const said = stderr.trim().slice(0, MAX_REASON_CHARS);
  return new WorktreeError("git_failed", `${what} failed: ${said || error.message}`, { cause: error });
}
