import { lstat, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/**
 * The folder of the repository that a working tree of git belongs to, where that lies elsewhere: commits go there. Undefined for any
 * other folder, and where the repository does not know the tree, since anybody can write a `.git` file that names a folder.
 */
export async function repositoryOf(folder: string): Promise<string | undefined> {
  try {
    const file = join(folder, ".git");
    if (!(await lstat(file)).isFile()) return undefined;
    const named = /^gitdir:\s*(.+)$/m.exec(await readFile(file, "utf8"))?.[1]?.trim();
    if (named === undefined) return undefined;
    const own = resolve(folder, named);
    const trees = dirname(own);
    const repository = dirname(trees);
    if (basename(trees) !== "worktrees" || !basename(repository).endsWith(".git")) return undefined;
    const back = resolve(own, (await readFile(join(own, "gitdir"), "utf8")).trim());
    return (await realpath(back)) === (await realpath(file)) ? await realpath(repository) : undefined;
  } catch {
    return undefined;
  }
}
