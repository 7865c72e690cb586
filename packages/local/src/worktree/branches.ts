import { WorktreeError } from "./error.ts";
import type { Environment } from "./git.ts";
import { commitOf, line, repositoryOf } from "./repository.ts";

/** The branches that can be checked out in a folder's repository. */
export interface Branches {
  /** The root of the checkout. */
  readonly checkout: string;
  /** The branch that is checked out; undefined for a detached HEAD. */
  readonly current: string | undefined;
  /** All local branches, by latest commit first. */
  readonly names: readonly string[];
}

const MOST = 200;

/** The branches of the repository that contains a folder. Throws a `WorktreeError` if there is none. */
export async function branchesOf(folder: string, env: Environment): Promise<Branches> {
  const { git, checkout, branch: current } = await repositoryOf(folder, env);
  const order = ["--sort=-committerdate", `--count=${MOST}`];
  const listed = await git.run(["for-each-ref", ...order, "--format=%(refname:lstrip=2)", "refs/heads"]);
  const names = line(listed)
    .split("\n")
    .filter((name) => name !== "");
  return { checkout, current, names };
}

/** Checks out a branch in the checkout that contains a folder, creating the branch if needed. Throws a `WorktreeError`. */
export async function switchBranch(folder: string, branch: string, env: Environment): Promise<void> {
  const { git, branch: current } = await repositoryOf(folder, env);
  if (branch === current) return;
  const { code } = await git.ask(["check-ref-format", "--branch", branch], { codes: [1, 128] });
  // `@{-1}` and the like would resolve to another branch.
  if (code !== 0 || branch.includes("@{"))
    throw new WorktreeError("bad_name", `no branch can be called ${branch}`);
  const isKnown = (await commitOf(git, `refs/heads/${branch}`)) !== undefined;
  await git.run(["switch", "--quiet", "--no-guess", ...(isKnown ? [branch] : ["--create", branch])]);
}
