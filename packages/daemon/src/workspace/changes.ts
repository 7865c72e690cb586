import type { Environment, OpenChanges } from "@agentwire/local/worktree";
import { DaemonError } from "../errors.ts";

type Repositories = typeof import("@agentwire/local/worktree");

/** Most daemons need none of it. */
const git = (): Promise<Repositories> => import("@agentwire/local/worktree");

/** What is not committed where a folder lies; undefined if it lies in no repository. */
export async function openChanges(folder: string, env: Environment): Promise<OpenChanges | undefined> {
  const { changesIn, WorktreeError } = await git();
  try {
    return await changesIn(folder, env);
  } catch (error) {
    if (error instanceof WorktreeError && error.code === "not_a_repository") return undefined;
    throw told(error, WorktreeError);
  }
}

/** Does something in a repository; what is in the way is told as an error of the daemon. */
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
