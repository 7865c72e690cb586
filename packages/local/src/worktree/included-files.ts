import { constants, copyFile, lstat, mkdir, realpath, symlink } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { readRegularFile } from "../files/index.ts";
import { WorktreeError } from "./error.ts";
import type { Git } from "./git.ts";

/** Lists the ignored files that a session needs, in `.gitignore` syntax. */
const LIST = ".worktreeinclude";
const MAX_LIST_BYTES = 65_536;
const MAX_FILES = 10_000;
const MAX_BYTES = 1024 ** 3;

/** Copies the files listed in `.worktreeinclude` from a checkout into a worktree, provided that git ignores them. */
export async function copyIncluded(git: Git, checkout: string, worktree: string): Promise<readonly string[]> {
  const patterns = await readRegularFile(join(checkout, LIST), MAX_LIST_BYTES).catch(() => "");
  if (patterns.trim() === "") return [];
  const files = await includedFiles(git.at(checkout));
  const copied: string[] = [];
  let bytes = 0;
  for (const file of files) {
    const from = join(checkout, file);
    const found = await lstat(from).catch(() => undefined);
    // The target of a link could be anywhere.
    if (!found?.isFile()) continue;
    bytes += found.size;
    if (copied.length >= MAX_FILES || bytes > MAX_BYTES)
      throw new WorktreeError(
        "too_large",
        `${LIST} lists more than ${MAX_FILES} files or ${MAX_BYTES / 1024 ** 2} MB: list fewer`,
      );
    if (await copyInside(from, worktree, file)) copied.push(file);
  }
  return copied;
}

/** The listed files that the repository's rules ignore. */
async function includedFiles(git: Git): Promise<readonly string[]> {
  const listed = await git.run(["ls-files", "--others", "--ignored", `--exclude-from=${LIST}`, "-z"]);
  // A name that ends with a slash is a nested repository.
  const names = listed.split("\0").filter((name) => name !== "" && !name.endsWith("/"));
  if (names.length === 0) return [];
  const input = `${names.join("\0")}\0`;
  const { stdout } = await git.ask(["check-ignore", "-z", "--stdin"], { input, codes: [1] });
  return stdout.split("\0").filter((name) => name !== "");
}

/** Copies a file unless it already exists; false if its folder is a link out of the worktree. */
async function copyInside(from: string, worktree: string, file: string): Promise<boolean> {
  const to = join(worktree, file);
  try {
    await mkdir(dirname(to), { recursive: true });
    if ((await realpath(dirname(to))) !== dirname(to)) return false;
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    return true;
  } catch {
    return false;
  }
}

/** Links folders of a checkout into a worktree instead of copying them; skips paths that lead out of either. */
export async function linkFolders(
  checkout: string,
  worktree: string,
  folders: readonly string[],
): Promise<void> {
  for (const folder of folders.map(normalize)) {
    const from = join(checkout, folder);
    const to = join(worktree, folder);
    const isInside = !folder.startsWith("..") && (await realpath(from).catch(() => "")) === from;
    if (!isInside || !(await lstat(from)).isDirectory()) continue;
    await mkdir(dirname(to), { recursive: true });
    // A folder that git tracks already exists and is left unchanged.
    if ((await realpath(dirname(to))) === dirname(to)) await symlink(from, to, "dir").catch(() => {});
  }
}
