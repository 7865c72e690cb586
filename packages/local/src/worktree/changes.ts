import { WorktreeError } from "./error.ts";
import type { Environment, Git } from "./git.ts";
import { commitOf, line, repositoryOf } from "./repository.ts";
import { changedBetween, takeSnapshot, treeNow } from "./snapshot.ts";
import { patchBetween } from "./work.ts";

/** A file that is not as it was committed. */
export interface OpenFile {
  /** From the root of the checkout. */
  readonly path: string;
  readonly state: "added" | "modified" | "deleted";
  /** Whether the index has all of the change, some of it, or nothing. */
  readonly staged: "all" | "some" | "none";
  readonly insertions: number;
  readonly deletions: number;
}

/** What is not committed in a checkout. */
export interface OpenChanges {
  readonly checkout: string;
  /** Undefined for a detached HEAD. */
  readonly branch: string | undefined;
  readonly files: readonly OpenFile[];
  readonly patch: string;
  /** Whether the patch is too long to be shown whole. */
  readonly isCut: boolean;
}

/** A change that is put back: of a whole file, or one hunk of its patch as git prints it. */
export interface Reverting {
  readonly path: string;
  /** Empty for all of the file. */
  readonly hunk: string;
}

/** The state of all files before a change was put back, by which that can be undone. */
const BEFORE_REVERT = "refs/agentwire/before-revert";

/** What is not committed in the checkout that a folder lies in. Throws a `WorktreeError` if it lies in none. */
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

/** What was committed last; before the first commit, nothing. */
const committed = async (git: Git): Promise<string> =>
  (await commitOf(git, "HEAD")) ?? line(await git.run(["mktree"]));

/** Puts changes of files into the index, or takes them out again. */
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

/** A name is a name, whatever signs are in it. */
const LITERAL = { GIT_LITERAL_PATHSPECS: "1" };

/** Commits what is in the index, without the repository's hooks; returns the commit. */
export async function commitStaged(folder: string, message: string, env: Environment): Promise<string> {
  const { git } = await repositoryOf(folder, env);
  const { code } = await git.ask(["diff", "--cached", "--quiet"], { codes: [1] });
  if (code === 0)
    throw new WorktreeError("git_failed", "nothing is staged: choose the files to commit first");
  await git.run(["commit", "--quiet", "--file=-"], { input: message });
  return line(await git.run(["rev-parse", "HEAD"]));
}

/** Puts a change back. All files are kept as they were before: the commit that is returned undoes it. */
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

/** Makes a file again what it was before one of its changes was put back. */
export async function undoRevert(
  folder: string,
  path: string,
  commit: string,
  env: Environment,
): Promise<void> {
  const { git } = await repositoryOf(folder, env);
  const kept = await git.run(["rev-list", "--max-count=1000", BEFORE_REVERT]);
  if (!kept.split("\n").includes(commit))
    throw new WorktreeError("git_failed", "this can't be undone any more: its state was not kept");
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
  // It was not there: what is new goes, and nothing that lies beside it.
  if (inIndex) await git.run(["reset", "--quiet", "--", path], options);
  await git.run(["clean", "--force", "--quiet", "--", path], options);
}

async function revertHunk(git: Git, path: string, hunk: string): Promise<void> {
  if (!hunk.startsWith("@@ ") || /[\n"\\]/.test(path) || /^(?:diff |--- |\+\+\+ \S+\/)/m.test(hunk))
    throw new WorktreeError("git_failed", "this hunk can't be restored by itself: restore the whole file");
  const patch = `--- a/${path}\n+++ b/${path}\n${hunk.endsWith("\n") ? hunk : `${hunk}\n`}`;
  // Git refuses names that lead out of the checkout, and parts that the file does not have any more.
  await git.run(["apply", "--reverse", "--recount", "--whitespace=nowarn", "-"], { input: patch });
}
