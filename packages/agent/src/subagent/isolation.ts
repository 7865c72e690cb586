import type { JsonObject } from "@agentwire/protocol";
import type { Workspace } from "../tools/workspace.ts";
import { type MadeWorktree, moveInto, type Worktrees } from "../worktree/worktrees.ts";

/** A subagent's own worktree. */
export interface Isolation {
  readonly workspace: Workspace;
  /** Removes the worktree if it is unchanged; otherwise returns where the work is. Never rejects. */
  end(): Promise<WorktreeNews>;
}

/** Where a subagent's work is; empty if it changed nothing or had no worktree. */
export type WorktreeNews = { readonly worktreePath?: string; readonly worktreeBranch?: string } & JsonObject;

/** Creates a worktree for a subagent; throws an error whose message is for the model. */
export async function isolate(
  worktrees: Worktrees,
  shared: Workspace,
  name: string,
  signal: AbortSignal,
): Promise<Isolation> {
  const worktree = await worktrees.make(shared.cwd, name, signal);
  const workspace = { ...shared };
  moveInto(workspace, worktree.place);
  return { workspace, end: () => endOf(worktrees, worktree) };
}

async function endOf(worktrees: Worktrees, worktree: MadeWorktree): Promise<WorktreeNews> {
  const { place, branch, isByHook } = worktree;
  try {
    // A worktree made by a hook can't be checked for changes.
    const { files, commits } = isByHook ? { files: 1, commits: 0 } : await worktrees.openWork(worktree);
    if (files + commits === 0) {
      await worktrees.remove(worktree, false, new AbortController().signal);
      return {};
    }
  } catch {
    // The worktree stays, and the report says where.
  }
  return { worktreePath: place.path, ...(branch !== undefined && { worktreeBranch: branch }) };
}
