import { randomUUID } from "node:crypto";
import { copyFile, lstat, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "./git.ts";
import { commitOf, line } from "./repository.ts";

/** Larger untracked files are left out. */
const MAX_UNTRACKED_BYTES = 64 * 1024 * 1024;
const LONG_MS = 300_000;

/** Snapshots must work even if the user has not configured an identity. */
const AUTHOR = {
  GIT_AUTHOR_NAME: "agentwire",
  GIT_AUTHOR_EMAIL: "agentwire@localhost",
  GIT_COMMITTER_NAME: "agentwire",
  GIT_COMMITTER_EMAIL: "agentwire@localhost",
};

/** A tree of all current files of a checkout, including untracked but not ignored ones. Leaves its index untouched. */
export function treeNow(git: Git): Promise<string> {
  return withIndex(git, (index) => writeTree(git, index));
}

/** Saves all current files of a checkout as a commit on a ref, which protects it from garbage collection; returns the commit. */
export async function takeSnapshot(git: Git, ref: string): Promise<string> {
  const tree = await treeNow(git);
  const parents = [await commitOf(git, ref), await commitOf(git, "HEAD")].filter((one) => one !== undefined);
  const given = [...new Set(parents)].flatMap((parent) => ["-p", parent]);
  const args = ["commit-tree", tree, ...given, "-m", "agentwire checkpoint"];
  const commit = line(await git.run(args, { variables: AUTHOR }));
  await git.run(["update-ref", ref, commit]);
  return commit;
}

/** A file that differs between two states, with the numbers of changed lines. */
export interface ChangedFile {
  readonly path: string;
  readonly insertions: number;
  readonly deletions: number;
}

/** The files that differ between two trees or commits; binary files have no line counts. */
export async function changedBetween(git: Git, from: string, to: string): Promise<readonly ChangedFile[]> {
  const listed = await git.run(["diff-tree", "-r", "-z", "--numstat", "--no-renames", from, to]);
  return listed
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => {
      const [insertions = "", deletions = "", ...path] = entry.split("\t");
      return {
        path: path.join("\t"),
        insertions: Number(insertions) || 0,
        deletions: Number(deletions) || 0,
      };
    });
}

/** Restores all files of a checkout from a snapshot, leaving branch and index untouched. Returns what was changed. */
export async function restoreSnapshot(git: Git, commit: string): Promise<readonly ChangedFile[]> {
  return withIndex(git, async (index) => {
    const now = await writeTree(git, index);
    const changed = await changedBetween(git, now, commit);
    if (changed.length > 0)
      await git.run(["read-tree", "-m", "-u", now, commit], { index, timeoutMs: LONG_MS });
    return changed;
  });
}

/** Works on a copy of the index, so that git need not read unchanged files again. */
async function withIndex<T>(git: Git, work: (index: string) => Promise<T>): Promise<T> {
  const folder = line(await git.run(["rev-parse", "--absolute-git-dir"]));
  const index = join(folder, `agentwire-index-${randomUUID()}`);
  try {
    // A repository without commits may have no index.
    await copyIndex(join(folder, "index"), index).catch(() => {});
    return await work(index);
  } finally {
    await Promise.all([rm(index, { force: true }), rm(`${index}.lock`, { force: true })]);
  }
}

/** Preserves the modification time: git uses it to detect files changed in the same second after the index was written. */
async function copyIndex(from: string, to: string): Promise<void> {
  const { atime, mtime } = await lstat(from);
  await copyFile(from, to);
  await utimes(to, atime, mtime);
}

async function writeTree(git: Git, index: string): Promise<string> {
  const left = await largeFiles(git, index);
  const input = [":/", ...left.map((path) => `:(top,exclude,literal)${path}`)].join("\0");
  const args = ["add", "--all", "--ignore-errors", "--pathspec-from-file=-", "--pathspec-file-nul"];
  // Unreadable files are left out.
  await git.ask(args, { index, input, timeoutMs: LONG_MS, codes: [1] });
  return line(await git.run(["write-tree"], { index }));
}

async function largeFiles(git: Git, index: string): Promise<readonly string[]> {
  const listed = await git.run(["ls-files", "--others", "--exclude-standard", "-z"], { index });
  const names = listed.split("\0").filter((name) => name !== "");
  const sizes = await Promise.all(
    names.map((name) =>
      lstat(join(git.folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return names.filter((_, at) => (sizes[at] ?? 0) > MAX_UNTRACKED_BYTES);
}
