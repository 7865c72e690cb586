import { lstat, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** Names in a folder of the project that decide what is run outside the sandbox later, whether they are there or not. */
const ALWAYS = [".claude", ".mcp.json"];
/** The same for programs other than the agent, once the project uses them; of the first folder the runtime guards more. */
const IF_THERE = [".vscode", ".idea", ".husky", ".envrc", ".gitmodules", ".ripgreprc"];
/** Names in a repository by which git runs programs. */
const OF_GIT = ["hooks", "config"];

/** What a sandbox has to know of the project's folders. */
export interface Guarded {
  /** Repositories elsewhere that working trees among the folders belong to: commits are written there. */
  readonly repositories: readonly string[];
  /** What no command may change. */
  readonly paths: readonly string[];
}

/** Finds out which names below the folders of a project commands must not change. */
export async function guardedIn(roots: readonly string[]): Promise<Guarded> {
  const repositories = (await Promise.all(roots.map(repositoryOf))).filter((found) => found !== undefined);
  const own = await existing(
    roots.map((root) => join(root, ".git")),
    true,
  );
  return {
    repositories,
    paths: [
      ...roots.flatMap((root) => ALWAYS.map((name) => join(root, name))),
      ...(await existing(roots.flatMap((root) => IF_THERE.map((name) => join(root, name))))),
      ...[...own, ...repositories].flatMap((folder) => OF_GIT.map((name) => join(folder, name))),
    ],
  };
}

async function existing(paths: readonly string[], asFolder = false): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)));
  return paths.filter((_, at) => (asFolder ? found[at]?.isDirectory() : found[at] !== undefined));
}

/**
 * The folder of the repository that a working tree of git belongs to, where that lies elsewhere: commits go there. Undefined for any
 * other folder, and where the repository does not know the tree, since anybody can write a `.git` file that names a folder.
 */
async function repositoryOf(folder: string): Promise<string | undefined> {
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
