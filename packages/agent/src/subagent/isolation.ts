import type { JsonObject } from "@agentwire/protocol";
import type { Workspace } from "../tools/workspace.ts";
import { type MadeWorktree, moveInto, type Worktrees } from "../worktree/worktrees.ts";

/** A subagent's own worktree. */
export interface Isolation {
  readonly workspace: Workspace;
  /** Removes the worktree if nothing was done in it; else says where the work is. Never rejects. */
  end(): Promise<WorktreeNews>;
}

/** Where the work of a subagent lies; empty if it did none, or worked where everybody does. */
export type WorktreeNews = { readonly worktreePath?: string; readonly worktreeBranch?: string } & JsonObject;

/** Gives a subagent a worktree of its own; throws with a text for the model. */
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
    // What a hook has made, nobody can look through.
    const { files, commits } = isByHook ? { files: 1, commits: 0 } : await worktrees.openWork(worktree);
    if (files + commits === 0) {
      await worktrees.remove(worktree, false, new AbortController().signal);
      return {};
    }
  } catch {
    // It stays, and whoever reads the report knows where.
  }
  return { worktreePath: place.path, ...(branch !== undefined && { worktreeBranch: branch }) };
}
