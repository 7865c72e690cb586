import { statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { isJsonObject } from "@agentwire/protocol";
import { isInside } from "../files/real-path.ts";
import type { ChangedLines } from "./changed-lines.ts";

/** All files of a worktree at one point in time, stored in git. */
export interface Snapshot {
  readonly worktree: string;
  readonly commit: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Loaded lazily: only sessions in a worktree need it. */
const git = () => import("@agentwire/local/worktree");

/** The worktree around a folder, if it was made for a session: everything in it can be restored at once. */
export function worktreeAround(folder: string): string | undefined {
  const [, root] = /^(.*\/\.claude\/worktrees\/[^/]+)(?:\/|$)/.exec(folder) ?? [];
  if (root === undefined) return undefined;
  // If `.git` is a folder, this is a separate repository.
  return statSync(join(root, ".git"), { throwIfNoEntry: false })?.isFile() ? root : undefined;
}

/** Saves the current state of all files of a worktree, for a session. */
export async function takeSnapshot(worktree: string, sessionId: string, env: Environment): Promise<Snapshot> {
  const { openGit, ownRefs, takeSnapshot: take } = await git();
  const name = basename(worktree).replace(/[^\w.+-]/g, "-");
  return { worktree, commit: await take(await openGit(worktree, env), `${ownRefs(name)}/${sessionId}`) };
}

/** Restores the files of a worktree from a snapshot. */
export async function restoreSnapshot({ worktree, commit }: Snapshot, env: Environment): Promise<void> {
  const { openGit, restoreSnapshot: restore } = await git();
  await restore(await openGit(worktree, env), commit);
}

/** What restoring a snapshot would change: the full paths of the files, and the number of lines. */
export async function previewSnapshot(
  { worktree, commit }: Snapshot,
  env: Environment,
): Promise<{ readonly files: readonly string[] } & ChangedLines> {
  const { openGit, treeNow, changedBetween } = await git();
  const at = await openGit(worktree, env);
  const changed = await changedBetween(at, await treeNow(at), commit);
  const sum = (pick: (file: (typeof changed)[number]) => number) =>
    changed.reduce((all, file) => all + pick(file), 0);
  return {
    files: changed.map(({ path }) => join(worktree, path)),
    insertions: sum(({ insertions }) => insertions),
    deletions: sum(({ deletions }) => deletions),
  };
}

/** The paths that a snapshot does not contain: those outside the worktree, and those that git ignores. */
export async function beyondSnapshot(
  { worktree }: Snapshot,
  paths: readonly string[],
  env: Environment,
): Promise<ReadonlySet<string>> {
  const inside = paths.filter((path) => isInside(path, worktree));
  const outside = paths.filter((path) => !isInside(path, worktree));
  if (inside.length === 0) return new Set(outside);
  const { openGit } = await git();
  const input = inside.map((path) => `${relative(worktree, path)}\0`).join("");
  const args = ["check-ignore", "-z", "--stdin"];
  const { stdout } = await (await openGit(worktree, env)).ask(args, { input, codes: [1] });
  const ignored = stdout.split("\0").filter((name) => name !== "");
  return new Set([...outside, ...ignored.map((name) => join(worktree, name))]);
}

/** Reads a snapshot back from its JSON. */
export function readSnapshot(value: unknown): Snapshot | undefined {
  if (!isJsonObject(value)) return undefined;
  const { worktree, commit } = value;
  return typeof worktree === "string" && typeof commit === "string" && /^[0-9a-f]{40,64}$/.test(commit)
    ? { worktree, commit }
    : undefined;
}
