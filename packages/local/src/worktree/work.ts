import type { Worktree } from "./create.ts";
import { WorktreeError } from "./error.ts";
import { type Environment, type Git, openGit } from "./git.ts";
import { commitOf, line } from "./repository.ts";
import { type ChangedFile, changedBetween, treeNow } from "./snapshot.ts";

/** The work that would be lost with a worktree. */
export interface OpenWork {
  /** Files with uncommitted changes, excluding ignored ones. */
  readonly uncommitted: readonly string[];
  /** The number of commits that are on no other branch. */
  readonly unmerged: number;
}

/** The work in a worktree that is not in its base. */
export interface Work extends OpenWork {
  /** The branch that is checked out there now; undefined for a detached HEAD. */
  readonly branch: string | undefined;
  readonly files: readonly ChangedFile[];
  readonly patch: string;
  /** Whether the patch was too long and has been left out. */
  readonly isCut: boolean;
}

const MAX_PATCH_BYTES = 1024 * 1024;

/** Finds the work that would be lost with a worktree. */
export async function openWork(
  { path, branch }: Pick<Worktree, "path" | "branch">,
  env: Environment,
): Promise<OpenWork> {
  return openWorkIn(await openGit(path, env), branch);
}

async function openWorkIn(git: Git, branch: string): Promise<OpenWork> {
  const status = await git.run(["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames"]);
  const heads = ["HEAD", `refs/heads/${branch}`];
  const known = await Promise.all(heads.map((name) => commitOf(git, name)));
  const own = known.filter((commit) => commit !== undefined);
  const others = [`--exclude=${branch}`, "--branches", "--tags", "--remotes"];
  const count = own.length === 0 ? "0" : await git.run(["rev-list", "--count", ...own, "--not", ...others]);
  return {
    uncommitted: status
      .split("\0")
      .filter((entry) => entry !== "")
      .map((entry) => entry.slice(3)),
    unmerged: Number(count),
  };
}

/** The work in a worktree: all changes since it left its base, committed or not. */
export async function workIn(worktree: Worktree, env: Environment): Promise<Work> {
  const git = await openGit(worktree.path, env);
  const branch = await git.ask(["symbolic-ref", "--quiet", "--short", "HEAD"], { codes: [1] });
  const [open, tree, from] = await Promise.all([
    openWorkIn(git, worktree.branch),
    treeNow(git),
    leftBase(git, worktree),
  ]);
  const { patch, isCut } = await patchBetween(git, from, tree);
  return {
    ...open,
    branch: branch.code === 0 ? line(branch.stdout) : undefined,
    files: await changedBetween(git, from, tree),
    patch,
    isCut,
  };
}

/** The last common commit of the work and its base. */
async function leftBase(git: Git, { base, baseCommit }: Worktree): Promise<string> {
  const tip = base === "" ? undefined : await commitOf(git, `refs/heads/${base}`);
  const { code, stdout } = await git.ask(["merge-base", tip ?? baseCommit, "HEAD"], { codes: [1] });
  return code === 0 ? line(stdout) : baseCommit;
}

/** The diff between two trees or commits as printed by git, or an empty one if it is too long. */
export async function patchBetween(
  git: Git,
  from: string,
  to: string,
): Promise<{ patch: string; isCut: boolean }> {
  const args = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", from, to, "--"];
  try {
    return { patch: await git.run(args, { maxBytes: MAX_PATCH_BYTES }), isCut: false };
  } catch (error) {
    if (!(error instanceof WorktreeError) || error.code !== "too_large") throw error;
    return { patch: "", isCut: true };
  }
}
