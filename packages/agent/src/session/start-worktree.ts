import { errorMessage } from "@agentwire/protocol/support";
import type { SessionContext } from "./context.ts";
import type { StartupError } from "./session-settings.ts";

/** Lets a session begin in a worktree: the one that `--worktree` asks for, or the one that it was in before. Returns why it can't. */
export async function enterWorktree(context: SessionContext): Promise<StartupError | undefined> {
  const { config, ownWorktree, workspace, complain, opening } = context;
  const { signal } = new AbortController();
  if (!config.worktree) return goOn(context, signal);
  const earlier = opening.earlier?.worktree;
  if (earlier) return { kind: "refused", reason: IN_ONE_ALREADY };
  try {
    const { place, branch } = await ownWorktree.enter(config.worktree, { workspace, signal });
    complain(`agentwire-agent: working in ${place.path}${branch ? ` on the branch ${branch}` : ""}\n`);
    return undefined;
  } catch (error) {
    return { kind: "refused", reason: `--worktree: ${errorMessage(error)}` };
  }
}

const IN_ONE_ALREADY =
  "--worktree: the session has a worktree of its own, and goes on there without this flag";

/** A worktree that is gone is no reason not to go on, but whoever does has to know. */
async function goOn(
  { ownWorktree, workspace, opening, outlet, complain }: SessionContext,
  signal: AbortSignal,
): Promise<undefined> {
  const earlier = opening.earlier?.worktree;
  if (!earlier) return;
  try {
    await ownWorktree.enterAgain(earlier, { workspace, signal });
  } catch (error) {
    const why = errorMessage(error);
    const content = `The session's worktree can't be entered again, so it goes on in ${workspace.cwd}: ${why}`;
    complain(`agentwire-agent: ${content}\n`);
    outlet.tell({ type: "system", subtype: "informational", content, level: "warning" });
  }
}
