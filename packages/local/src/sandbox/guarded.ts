import { lstat, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** Names in a project folder that decide what runs outside the sandbox later; guarded whether or not they exist. */
const ALWAYS = [".claude", ".mcp.json"];
/** The same for programs other than the agent, guarded once the project uses them; the runtime guards more in the first folder. */
const IF_THERE = [".vscode", ".idea", ".husky", ".envrc", ".gitmodules", ".ripgreprc"];
/** Names in a repository that make git run programs. */
const OF_GIT = ["hooks", "config"];

/** What a sandbox needs to know about the project's folders. */
export interface Guarded {
  /** Repositories outside the folders to which git worktrees among them belong: commits are written there. */
  readonly repositories: readonly string[];
  /** Paths that no command may change. */
  readonly paths: readonly string[];
}

/** Determines which paths in the project's folders commands must not change. */
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
 * The repository that a git worktree belongs to, if it lies elsewhere: commits go there. Undefined for any other folder, and if the
 * repository does not list the worktree, since anyone can write a `.git` file that names a folder.
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
