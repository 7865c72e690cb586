import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exists } from "../files/index.ts";
import { WorktreeError } from "./error.ts";
import type { Environment, Git } from "./git.ts";
import { copyIncluded, linkFolders } from "./included-files.ts";
import { branchOf, flatName, randomName } from "./name.ts";
import { checkoutsOf, commitOf, type Repository, repositoryOf } from "./repository.ts";

/** A separate checkout for one session or subagent. */
export interface Worktree {
  /** The name of its folder. */
  readonly name: string;
  readonly path: string;
  readonly branch: string;
  /** The root of the checkout it was created from. */
  readonly checkout: string;
  /** The branch that was checked out there; empty for a detached HEAD. */
  readonly base: string;
  /** The commit at which its branch starts. */
  readonly baseCommit: string;
}

/** Options for creating a worktree. */
export interface WorktreeOptions {
  /** A folder in the repository. */
  readonly folder: string;
  /** If omitted, the worktree gets a random name. */
  readonly name?: string | undefined;
  /** `fresh` starts at the last known commit of the default branch of the remote `origin`, if there is one; `head` at the current HEAD. */
  readonly baseRef: "fresh" | "head";
  /** The local branch to start from instead. */
  readonly base?: string | undefined;
  /** Folders of the checkout to link into the worktree, unless git tracks them. */
  readonly links?: readonly string[];
  /** The folders to check out; if omitted, all of them. */
  readonly sparse?: readonly string[];
  readonly env: Environment;
  readonly signal?: AbortSignal | undefined;
}

const CHECKOUT_MS = 600_000;

/** Creates a worktree, or reuses the existing one of that name. Throws a `WorktreeError`. */
export async function createWorktree(options: WorktreeOptions): Promise<Worktree> {
  const name = flatName(options.name ?? randomName());
  const repository = await repositoryOf(options.folder, options.env, options.signal);
  const { git, checkout, main } = repository;
  const base = options.base ?? repository.branch ?? "";
  const folder = await worktreesFolder(main);
  const path = join(folder, name);
  const branch = branchOf(name);
  const start =
    options.base === undefined ? await startOf(git, options.baseRef) : await tipOf(git, options.base);
  const known = { name, path, checkout, base };
  const there = (await checkoutsOf(git)).find((one) => one.path === path);
  if (there && (await exists(path)))
    return { ...known, branch: there.branch ?? branch, baseCommit: await forkPoint(git, path, start) };
  if (await exists(path))
    throw new WorktreeError("exists", `${path} exists and is not a worktree: choose another name`);
  await add(repository, path, { branch, start, sparse: options.sparse ?? [] });
  await copyIncluded(git, checkout, path);
  await linkFolders(checkout, path, options.links ?? []);
  return { ...known, branch, baseCommit: await forkPoint(git, path, start) };
}

/** The folder that contains the worktrees; rejected if it resolves elsewhere through a link. */
async function worktreesFolder(main: string): Promise<string> {
  const folder = join(main, ".claude", "worktrees");
  await mkdir(folder, { recursive: true });
  if ((await realpath(folder)) !== folder)
    throw new WorktreeError(
      "unsafe_path",
      `${folder} is a symbolic link, or is below one: remove the link first`,
    );
  // Otherwise every worktree would show up in the status of the enclosing checkout.
  await writeFile(join(folder, ".gitignore"), "*\n", { flag: "wx" }).catch(() => {});
  return folder;
}

async function startOf(git: Git, baseRef: WorktreeOptions["baseRef"]): Promise<string> {
  const remote = baseRef === "fresh" ? await commitOf(git, "refs/remotes/origin/HEAD") : undefined;
  const start = remote ?? (await commitOf(git, "HEAD"));
  if (start !== undefined) return start;
  throw new WorktreeError("no_commit", `${git.folder} has no commit yet: make one, then try again`);
}

async function tipOf(git: Git, branch: string): Promise<string> {
  const tip = await commitOf(git, `refs/heads/${branch}`);
  if (tip !== undefined) return tip;
  throw new WorktreeError("no_base", `there is no branch ${branch} in ${git.folder}: choose another one`);
}

/** Reuses the branch of an earlier worktree, since it may contain work. */
async function add(
  { git }: Repository,
  path: string,
  { branch, start, sparse }: { branch: string; start: string; sparse: readonly string[] },
): Promise<void> {
  const isKnown = (await commitOf(git, `refs/heads/${branch}`)) !== undefined;
  const what = isKnown ? [path, branch] : ["-b", branch, "--no-track", path, start];
  const isWhole = sparse.length === 0;
  const args = ["worktree", "add", "--quiet", ...(isWhole ? [] : ["--no-checkout"]), ...what];
  await git.run(args, { timeoutMs: CHECKOUT_MS });
  if (isWhole) return;
  const there = git.at(path);
  await there.run(["sparse-checkout", "set", "--cone", "--stdin"], { input: `${sparse.join("\n")}\n` });
  await there.run(["checkout", "--quiet", branch], { timeoutMs: CHECKOUT_MS });
}

/** The commit at which the work of a worktree started. */
async function forkPoint(git: Git, path: string, start: string): Promise<string> {
  const { code, stdout } = await git.at(path).ask(["merge-base", start, "HEAD"], { codes: [1] });
  return code === 0 ? stdout.trim() : start;
}
