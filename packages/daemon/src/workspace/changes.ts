import type { Branches, Environment, OpenChanges } from "@agentwire/local/worktree";
import { DaemonError } from "../errors.ts";

type Repositories = typeof import("@agentwire/local/worktree");

/** Loaded lazily: most daemons never need it. */
const git = (): Promise<Repositories> => import("@agentwire/local/worktree");

/** The uncommitted changes around a folder; undefined outside a repository. */
export const openChanges = (folder: string, env: Environment): Promise<OpenChanges | undefined> =>
  ifRepository(({ changesIn }) => changesIn(folder, env));

/** The branches of a folder's repository; undefined outside a repository, or without git. */
export const branchesIn = (folder: string, env: Environment): Promise<Branches | undefined> =>
  ifRepository(({ branchesOf }) => branchesOf(folder, env), ["not_a_repository", "git_missing"]);

async function ifRepository<T>(
  work: (repositories: Repositories) => Promise<T>,
  absences: readonly string[] = ["not_a_repository"],
): Promise<T | undefined> {
  const repositories = await git();
  try {
    return await work(repositories);
  } catch (error) {
    if (error instanceof repositories.WorktreeError && absences.includes(error.code)) return undefined;
    throw told(error, repositories.WorktreeError);
  }
}

/** Works with a repository; problems become errors of the daemon. */
export async function inRepository<T>(work: (repositories: Repositories) => Promise<T>): Promise<T> {
  const repositories = await git();
  try {
    return await work(repositories);
  } catch (error) {
    throw told(error, repositories.WorktreeError);
  }
}

const told = (error: unknown, Known: Repositories["WorktreeError"]): unknown =>
  error instanceof Known ? new DaemonError("WORKSPACE_REFUSED", error.message, { cause: error }) : error;
