import { realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { WorktreeError } from "./error.ts";
import { type Environment, type Git, openGit } from "./git.ts";

/** A repository, as seen from one of its checkouts. */
export interface Repository {
  /** Git at the root of the checkout. */
  readonly git: Git;
  /** The real path of the root of the checkout. */
  readonly checkout: string;
  /** The root of the repository's main checkout, in which worktrees are created. */
  readonly main: string;
  /** The branch that is checked out; undefined for a detached HEAD. */
  readonly branch: string | undefined;
}

/** One checkout of a repository. */
export interface Checkout {
  readonly path: string;
  /** Without `refs/heads/`; undefined for a detached HEAD. */
  readonly branch: string | undefined;
}

/** The repository that contains a folder. Throws a `WorktreeError` if there is none. */
export async function repositoryOf(
  folder: string,
  env: Environment,
  signal?: AbortSignal,
): Promise<Repository> {
  const git = await openGit(folder, env, signal);
  const top = await git.ask(["rev-parse", "--show-toplevel"], { codes: [128] });
  if (top.code !== 0 || line(top.stdout) === "")
    throw new WorktreeError(
      "not_a_repository",
      `${folder} is not in a git repository: run git init there first`,
    );
  const checkout = await realpath(line(top.stdout));
  const at = git.at(checkout);
  const common = line(await at.run(["rev-parse", "--path-format=absolute", "--git-common-dir"]));
  const branch = await at.ask(["symbolic-ref", "--quiet", "--short", "HEAD"], { codes: [1] });
  return {
    git: at,
    checkout,
    main: basename(common) === ".git" ? await realpath(dirname(common)) : checkout,
    branch: branch.code === 0 ? line(branch.stdout) : undefined,
  };
}

/** All checkouts of a repository, starting with the main one. */
export async function checkoutsOf(git: Git): Promise<readonly Checkout[]> {
  const listed = await git.run(["worktree", "list", "--porcelain"]);
  return listed
    .split("\n\n")
    .filter((entry) => entry.startsWith("worktree "))
    .map((entry) => ({
      path: /^worktree (.*)$/m.exec(entry)?.[1] ?? "",
      branch: /^branch refs\/heads\/(.*)$/m.exec(entry)?.[1],
    }));
}

/** The commit that a name resolves to, if any. */
export async function commitOf(git: Git, name: string): Promise<string | undefined> {
  const { code, stdout } = await git.ask(["rev-parse", "--verify", "--quiet", `${name}^{commit}`], {
    codes: [1, 128],
  });
  return code === 0 ? line(stdout) : undefined;
}

/** Git's output without the trailing newline. */
export const line = (printed: string): string => printed.replace(/\n$/, "");
