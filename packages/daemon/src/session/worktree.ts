import type { Environment, Work, Worktree } from "@agentwire/local/worktree";
import { DaemonError } from "../errors.ts";
import { isWithin } from "../permission/folder-name.ts";
import type { SessionRecord } from "../store/session-record.ts";
import { isAtRest } from "./state.ts";

/** Loaded when needed: most daemons never use it. */
const git = () => import("@agentwire/local/worktree");

/** A session's worktree, and whether it is still there. */
export interface StoredWorktree extends Worktree {
  readonly state: "open" | "merged" | "removed";
}

/** How a worktree is ended, and what may be lost. */
export type WorktreeEnding =
  | { readonly end: "keep" }
  | { readonly end: "merge"; readonly message: string }
  | { readonly end: "remove"; readonly discard: boolean };

/** Git can only do one merge at a time in a checkout. */
const merging = new Map<string, Promise<unknown>>();

/** The worktree of a session; undefined if it has none. */
export function worktreeOf({ worktree }: Pick<SessionRecord, "worktree">): StoredWorktree | undefined {
  return worktree === "" ? undefined : (JSON.parse(worktree) as StoredWorktree);
}

/** The same; throws if it has none, or it was removed. */
export function openWorktree(record: SessionRecord): StoredWorktree {
  const worktree = worktreeOf(record);
  if (!worktree) throw new DaemonError("WORKTREE_REFUSED", "the session has no worktree of its own");
  if (worktree.state !== "open") throw new DaemonError("WORKTREE_REFUSED", goneText(worktree));
  return worktree;
}

/** The error text for a worktree that has ended. */
export const goneText = ({ state, branch, base }: StoredWorktree): string =>
  state === "merged"
    ? `the worktree of this session was merged into ${base} and is gone: start another session`
    : `the worktree of this session, with its branch ${branch}, was removed: start another session`;

/** Creates a worktree for a session, based on a branch or on the checked-out commit, into which it is merged later. */
export function makeWorktree(
  folder: string,
  { name, base }: { readonly name: string; readonly base: string },
  env: Environment,
): Promise<StoredWorktree> {
  return told(async () => {
    const made = await (await git()).createWorktree({
      folder,
      name: name || undefined,
      baseRef: "head",
      base: base || undefined,
      env,
    });
    return { ...made, state: "open" };
  });
}

/** Checks out a branch in a session's folder, unless another session is working there, whose files would change. */
export function checkOut(
  folder: string,
  branch: string,
  others: Iterable<{ readonly record: SessionRecord }>,
  env: Environment,
): Promise<void> {
  for (const { record } of others)
    if (!isAtRest(record) && record.worktree === "" && isNested(record.cwd, folder))
      throw new DaemonError(
        "INVALID_ARGUMENT",
        `branch: the session ${record.id} is running a turn in ${record.cwd}: use a worktree, or wait for it to end`,
      );
  return told(async () => (await git()).switchBranch(folder, branch, env), "branch");
}

const isNested = (one: string, other: string) => isWithin(one, other) || isWithin(other, one);

/** The changes of a session in its worktree. */
export const lookInto = (worktree: StoredWorktree, env: Environment): Promise<Work> =>
  told(async () => (await git()).workIn(worktree, env));

/** Ends a worktree; returns its new state. */
export async function endWorktree(
  worktree: StoredWorktree,
  ending: WorktreeEnding,
  env: Environment,
): Promise<StoredWorktree> {
  if (ending.end === "keep") return worktree;
  const { checkout } = worktree;
  const before = merging.get(checkout) ?? Promise.resolve();
  const work = before.then(() =>
    told(async (): Promise<StoredWorktree> => {
      const { mergeWorktree, removeWorktree } = await git();
      if (ending.end === "merge") await mergeWorktree(worktree, ending.message, env);
      else await removeWorktree(worktree, ending.discard, env);
      return { ...worktree, state: ending.end === "merge" ? "merged" : "removed" };
    }),
  );
  const settled = work.catch(() => {});
  merging.set(checkout, settled);
  void settled.then(() => merging.get(checkout) === settled && merging.delete(checkout));
  return work;
}

const BAD_REQUESTS: ReadonlySet<string> = new Set([
  "bad_name",
  "not_a_repository",
  "no_commit",
  "exists",
  "no_base",
]);

async function told<T>(work: () => Promise<T>, field = "worktree"): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof (await git()).WorktreeError)) throw cause;
    const code = BAD_REQUESTS.has(cause.code) ? "INVALID_ARGUMENT" : "WORKTREE_REFUSED";
    throw new DaemonError(code, `${field}: ${cause.message}`, { cause });
  }
}
