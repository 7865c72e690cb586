import type { Worktree } from "./create.ts";
import { WorktreeError } from "./error.ts";
import { type Environment, type Git, openGit } from "./git.ts";
import { checkoutsOf, commitOf } from "./repository.ts";
import { type OpenWork, openWork } from "./work.ts";

const MAX_NAMED = 10;
const LONG_MS = 300_000;

/** The prefix of the refs that belong to a worktree and are deleted with it. */
export const ownRefs = (name: string): string => `refs/agentwire/${name}`;

/**
 * Removes a worktree and its branch. Uncommitted changes and commits that are on no other branch are removed only with `discard`;
 * without it a `WorktreeError` names them. Returns what was discarded.
 */
export async function removeWorktree(
  worktree: Worktree,
  discard: boolean,
  env: Environment,
): Promise<OpenWork> {
  const git = await openGit(worktree.checkout, env);
  await mustBeKnown(git, worktree);
  const open = await openWork(worktree, env);
  if (!discard) mustBeDone(open);
  await git.run(["worktree", "remove", ...(discard ? ["--force"] : []), "--", worktree.path], {
    timeoutMs: LONG_MS,
  });
  await dropBranch(git, worktree);
  return open;
}

/**
 * Merges the work of a worktree into the checkout of its base branch, then removes the worktree. With a message, uncommitted changes
 * are committed first. If the merge is not possible, throws a `WorktreeError` that says why and leaves the base unchanged.
 */
export async function mergeWorktree(
  worktree: Worktree,
  message: string | undefined,
  env: Environment,
): Promise<void> {
  const git = await openGit(worktree.checkout, env);
  await mustBeKnown(git, worktree);
  const into = await checkoutOfBase(git, worktree);
  await mustBeClean(into, worktree.base);
  const { uncommitted } = await openWork(worktree, env);
  if (uncommitted.length > 0) await commitWork(git.at(worktree.path), uncommitted, message);
  await merge(into, worktree);
  await removeWorktree(worktree, false, env);
}

async function mustBeKnown(git: Git, { path }: Worktree): Promise<void> {
  if ((await checkoutsOf(git)).slice(1).some((one) => one.path === path)) return;
  throw new WorktreeError("not_a_repository", `${path} is no longer a worktree of ${git.folder}`);
}

function mustBeDone({ uncommitted, unmerged }: OpenWork): void {
  if (uncommitted.length > 0)
    throw new WorktreeError("dirty", `it has changes that are not committed: ${named(uncommitted)}`);
  if (unmerged > 0)
    throw new WorktreeError("unmerged", `it has ${counted(unmerged, "commit")} on no other branch`);
}

async function dropBranch(git: Git, { name, branch }: Worktree): Promise<void> {
  const isUsed = (await checkoutsOf(git)).some((one) => one.branch === branch);
  const isThere = (await commitOf(git, `refs/heads/${branch}`)) !== undefined;
  if (isThere && !isUsed) await git.run(["branch", "--quiet", "-D", "--", branch]);
  const refs = await git.run(["for-each-ref", "--format=%(refname)", `${ownRefs(name)}/`]);
  for (const ref of refs.split("\n").filter((one) => one !== "")) await git.run(["update-ref", "-d", ref]);
}

/** The checkout of the base branch: a merge needs one. */
async function checkoutOfBase(git: Git, { base, branch }: Worktree): Promise<Git> {
  if (base === "")
    throw new WorktreeError(
      "no_base",
      `no branch was checked out where it began: merge ${branch} by hand, or keep it`,
    );
  const there = (await checkoutsOf(git)).find((one) => one.branch === base);
  if (there) return git.at(there.path);
  throw new WorktreeError(
    "no_base",
    `${base} is not checked out anywhere: run git switch ${base} in ${git.folder}, then merge again`,
  );
}

/** Untracked files may stay: git itself refuses to overwrite them. */
async function mustBeClean(git: Git, base: string): Promise<void> {
  const status = await git.run(["status", "--porcelain", "-z", "--untracked-files=no", "--no-renames"]);
  const files = status
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => entry.slice(3));
  if (files.length > 0)
    throw new WorktreeError(
      "dirty_base",
      `${git.folder}, where ${base} is checked out, has changes that are not committed: ${named(files)}. Commit or stash them, then merge again`,
    );
}

async function commitWork(
  git: Git,
  uncommitted: readonly string[],
  message: string | undefined,
): Promise<void> {
  if (message === undefined || message.trim() === "")
    throw new WorktreeError(
      "dirty",
      `it has changes that are not committed: ${named(uncommitted)}. Commit them, or give a message to commit them with`,
    );
  await git.run(["add", "--all", "--", ":/"], { timeoutMs: LONG_MS });
  await git.run(["commit", "--quiet", "--no-verify", `--message=${message}`], { timeoutMs: LONG_MS });
}

async function merge(into: Git, { path, branch, base }: Worktree): Promise<void> {
  const work = await commitOf(into.at(path), "HEAD");
  const title = `Merge branch '${branch}' into ${base}`;
  const args = [
    "merge",
    "--quiet",
    "--ff",
    "--no-edit",
    "--no-stat",
    "--no-verify",
    "-m",
    title,
    work ?? branch,
  ];
  try {
    await into.run(args, { timeoutMs: LONG_MS });
  } catch (error) {
    const conflicts = await into.run(["diff", "--name-only", "--diff-filter=U", "-z"]);
    if ((await commitOf(into, "MERGE_HEAD")) !== undefined) await into.run(["merge", "--abort"]);
    const files = conflicts.split("\0").filter((file) => file !== "");
    if (files.length === 0) throw error;
    throw new WorktreeError(
      "conflict",
      `it conflicts with ${base} in ${named(files)}. Bring ${base} into the worktree and resolve it there (git -C ${path} merge ${base}), then merge again`,
      { cause: error },
    );
  }
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

function named(files: readonly string[]): string {
  const more = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : "";
  return files.slice(0, MAX_NAMED).join(", ") + more;
}
