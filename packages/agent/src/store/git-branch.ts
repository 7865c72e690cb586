import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readRegularFileSync } from "@agentwire/local/files";

/** The branch checked out in a folder; `HEAD` if there is none, as the official programs write it. */
export function gitBranch(folder: string): string {
  return /^ref: refs\/heads\/(.+)$/m.exec(repositoryHead(folder) ?? "")?.[1]?.trim() ?? "HEAD";
}

/** Whether a folder is in a git checkout. */
export function isInRepository(folder: string): boolean {
  return repositoryHead(folder) !== undefined;
}

/** The content of HEAD in the repository of a folder. */
function repositoryHead(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const head = headOf(join(at, ".git"));
    if (head !== undefined || at === dirname(at)) return head;
  }
}

/** The content of HEAD; undefined outside a repository. In a linked worktree, `.git` is a file that names its location. */
function headOf(path: string): string | undefined {
  try {
    // Called once per turn, usually for folders without `.git`: an exception for each would be the largest cost.
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (stats.isDirectory()) return readRegularFileSync(join(path, "HEAD"));
    const [, place] = /^gitdir: (.+)$/m.exec(readRegularFileSync(path)) ?? [];
    return place && readRegularFileSync(resolve(dirname(path), place.trim(), "HEAD"));
  } catch {
    return undefined;
  }
}
