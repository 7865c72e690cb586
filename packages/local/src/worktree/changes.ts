import { WorktreeError } from "./error.ts";
import type { Environment, Git } from "./git.ts";
import { commitOf, line, repositoryOf } from "./repository.ts";
import { changedBetween, takeSnapshot, treeNow } from "./snapshot.ts";
import { patchBetween } from "./work.ts";

/** A file with uncommitted changes. */
export interface OpenFile {
  /** Relative to the root of the checkout. */
  readonly path: string;
  readonly state: "added" | "modified" | "deleted";
  /** How much of the change is in the index. */
  readonly staged: "all" | "some" | "none";
  readonly insertions: number;
  readonly deletions: number;
}

/** The uncommitted changes in a checkout. */
export interface OpenChanges {
  readonly checkout: string;
  /** Undefined for a detached HEAD. */
  readonly branch: string | undefined;
  readonly files: readonly OpenFile[];
  readonly patch: string;
  /** Whether the patch was too long and has been left out. */
  readonly isCut: boolean;
}

/** A change to revert: a whole file, or one hunk of its patch as printed by git. */
export interface Reverting {
  readonly path: string;
  /** Empty for the whole file. */
  readonly hunk: string;
}

/** Keeps the state of all files before a revert, so that it can be undone. */
const BEFORE_REVERT = "refs/agentwire/before-revert";

/** The uncommitted changes in the checkout that contains a folder. Throws a `WorktreeError` if there is none. */
export async function changesIn(folder: string, env: Environment): Promise<OpenChanges> {
  const { git, checkout, branch } = await repositoryOf(folder, env);
  const [status, tree, from] = await Promise.all([
    git.run(["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames"]),
    treeNow(git),
    committed(git),
  ]);
  const { patch, isCut } = await patchBetween(git, from, tree);
  const lines = new Map((await changedBetween(git, from, tree)).map((file) => [file.path, file]));
  const files = status
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => openFile(entry, lines.get(entry.slice(3))));
  return { checkout, branch, files, patch, isCut };
}

function openFile(
  entry: string,
  lines: { readonly insertions: number; readonly deletions: number } | undefined,
): OpenFile {
  const [inIndex = " ", inFolder = " "] = entry;
  const isNew = inIndex === "?" || inIndex === "A";
  const isGone = inFolder === "D" || (inIndex === "D" && inFolder === " ");
  return {
    path: entry.slice(3),
    state: isGone ? "deleted" : isNew ? "added" : "modified",
    staged: inIndex === " " || inIndex === "?" ? "none" : inFolder === " " ? "all" : "some",
    insertions: lines?.insertions ?? 0,
    deletions: lines?.deletions ?? 0,
  };
}

/** The last commit, or an empty tree before the first one. */
const committed = async (git: Git): Promise<string> =>
  (await commitOf(git, "HEAD")) ?? line(await git.run(["mktree"]));

/** Stages or unstages the changes of files. */
export async function stageFiles(
  folder: string,
  paths: readonly string[],
  isStaged: boolean,
  env: Environment,
): Promise<void> {
  const { git } = await repositoryOf(folder, env);
  const named = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  const args = isStaged ? ["add", "--all", ...named] : ["reset", "--quiet", ...named];
  await git.run(args, { input: paths.join("\0"), variables: LITERAL });
}

/** Treats every path literally, whatever characters it contains. */
const LITERAL = { GIT_LITERAL_PATHSPECS: "1" };

/** Commits the index without running the repository's hooks; returns the commit. */
export async function commitStaged(folder: string, message: string, env: Environment): Promise<string> {
  const { git } = await repositoryOf(folder, env);
  const { code } = await git.ask(["diff", "--cached", "--quiet"], { codes: [1] });
  if (code === 0)
    throw new WorktreeError("git_failed", "nothing is staged: choose the files to commit first");
  await git.run(["commit", "--quiet", "--file=-"], { input: message });
  return line(await git.run(["rev-parse", "HEAD"]));
}

/** Reverts a change after saving the state of all files; returns the commit with which the revert can be undone. */
export async function revertChange(
  folder: string,
  { path, hunk }: Reverting,
  env: Environment,
): Promise<string> {
  const { git } = await repositoryOf(folder, env);
  const before = await takeSnapshot(git, BEFORE_REVERT);
  if (hunk === "") await restoreFile(git, path, await committed(git), true);
  else await revertHunk(git, path, hunk);
  return before;
}

/** Restores a file to its state before a revert. */
export async function undoRevert(
  folder: string,
  path: string,
  commit: string,
  env: Environment,
): Promise<void> {
  const { git } = await repositoryOf(folder, env);
  const kept = await git.run(["rev-list", "--max-count=1000", BEFORE_REVERT]);
  if (!kept.split("\n").includes(commit))
    throw new WorktreeError("git_failed", "this can no longer be undone: the earlier state was not kept");
  await restoreFile(git, path, commit, false);
}

async function restoreFile(git: Git, path: string, from: string, inIndex: boolean): Promise<void> {
  const options = { variables: LITERAL };
  const { stdout } = await git.ask(["ls-tree", "--full-tree", "-z", from, "--", path], options);
  if (stdout !== "") {
    const places = inIndex ? ["--staged", "--worktree"] : ["--worktree"];
    await git.run(["restore", `--source=${from}`, ...places, "--", path], options);
    return;
  }
  // The file did not exist then: remove it, and nothing else.
  if (inIndex) await git.run(["reset", "--quiet", "--", path], options);
  await git.run(["clean", "--force", "--quiet", "--", path], options);
}

async function revertHunk(git: Git, path: string, hunk: string): Promise<void> {
  if (!hunk.startsWith("@@ ") || /[\n"\\]/.test(path) || /^(?:diff |--- |\+\+\+ \S+\/)/m.test(hunk))
    throw new WorktreeError("git_failed", "this hunk can't be restored by itself: restore the whole file");
  const patch = `--- a/${path}\n+++ b/${path}\n${hunk.endsWith("\n") ? hunk : `${hunk}\n`}`;
  // Git rejects paths outside the checkout and hunks that no longer match the file.
  await git.run(["apply", "--reverse", "--recount", "--whitespace=nowarn", "-"], { input: patch });
}
