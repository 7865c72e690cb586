import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exists } from "../files/index.ts";
import { WorktreeError } from "./error.ts";
import type { Environment, Git } from "./git.ts";
import { copyIncluded, linkFolders } from "./included-files.ts";
import { branchOf, flatName, randomName } from "./name.ts";
import { checkoutsOf, commitOf, type Repository, repositoryOf } from "./repository.ts";

/** A checkout of its own for one session or subagent. */
export interface Worktree {
  /** The name that its folder has. */
  readonly name: string;
  readonly path: string;
  readonly branch: string;
  /** The root of the checkout that it was made from. */
  readonly checkout: string;
  /** The branch that was checked out there; empty for a detached HEAD. */
  readonly base: string;
  /** The commit that its branch began with. */
  readonly baseCommit: string;
}

/** What a worktree is to be like. */
export interface WorktreeWish {
  /** A folder of the repository. */
  readonly folder: string;
  /** Without one it gets a random name. */
  readonly name?: string | undefined;
  /** `fresh` begins where the default branch of the remote `origin` is known to be, if it is; `head` with what is checked out. */
  readonly baseRef: "fresh" | "head";
  /** The local branch to begin with, in place of those. */
  readonly base?: string | undefined;
  /** Folders of the checkout that the worktree gets links to, as far as git does not keep them. */
  readonly links?: readonly string[];
  /** The folders that are checked out; all of them without this. */
  readonly sparse?: readonly string[];
  readonly env: Environment;
  readonly signal?: AbortSignal | undefined;
}

const CHECKOUT_MS = 600_000;

/** Makes a worktree, or takes up the one of that name. Throws a `WorktreeError`. */
export async function createWorktree(wish: WorktreeWish): Promise<Worktree> {
  const name = flatName(wish.name ?? randomName());
  const repository = await repositoryOf(wish.folder, wish.env, wish.signal);
  const { git, checkout, main } = repository;
  const base = wish.base ?? repository.branch ?? "";
  const folder = await worktreesFolder(main);
  const path = join(folder, name);
  const branch = branchOf(name);
  const start = wish.base === undefined ? await startOf(git, wish.baseRef) : await tipOf(git, wish.base);
  const known = { name, path, checkout, base };
  const there = (await checkoutsOf(git)).find((one) => one.path === path);
  if (there && (await exists(path)))
    return { ...known, branch: there.branch ?? branch, baseCommit: await forkPoint(git, path, start) };
  if (await exists(path))
    throw new WorktreeError("exists", `${path} exists and is not a worktree: choose another name`);
  await add(repository, path, { branch, start, sparse: wish.sparse ?? [] });
  await copyIncluded(git, checkout, path);
  await linkFolders(checkout, path, wish.links ?? []);
  return { ...known, branch, baseCommit: await forkPoint(git, path, start) };
}

/** The folder that worktrees are made in; a link on the way would put them elsewhere. */
async function worktreesFolder(main: string): Promise<string> {
  const folder = join(main, ".claude", "worktrees");
  await mkdir(folder, { recursive: true });
  if ((await realpath(folder)) !== folder)
    throw new WorktreeError(
      "unsafe_path",
      `${folder} is a symbolic link, or is below one: remove the link first`,
    );
  // Else every checkout would show up in the status of the one around it.
  await writeFile(join(folder, ".gitignore"), "*\n", { flag: "wx" }).catch(() => {});
  return folder;
}

async function startOf(git: Git, baseRef: WorktreeWish["baseRef"]): Promise<string> {
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

/** A branch that is left from an earlier worktree is gone on with: there may be work on it. */
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

/** Where the work of a worktree began. */
async function forkPoint(git: Git, path: string, start: string): Promise<string> {
  const { code, stdout } = await git.at(path).ask(["merge-base", start, "HEAD"], { codes: [1] });
  return code === 0 ? stdout.trim() : start;
}
