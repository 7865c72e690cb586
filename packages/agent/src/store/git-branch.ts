import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readRegularFileSync } from "@agentwire/local/files";

/** The branch that is checked out at a folder; `HEAD` where there is none to name, as the official programs write it. */
export function gitBranch(folder: string): string {
  return /^ref: refs\/heads\/(.+)$/m.exec(repositoryHead(folder) ?? "")?.[1]?.trim() ?? "HEAD";
}

/** Whether a folder belongs to a working tree of git. */
export function isInRepository(folder: string): boolean {
  return repositoryHead(folder) !== undefined;
}

/** What HEAD says in the repository that a folder belongs to. */
function repositoryHead(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const head = headOf(join(at, ".git"));
    if (head !== undefined || at === dirname(at)) return head;
  }
}

/** The content of HEAD; undefined outside a repository. In a linked worktree, `.git` is a file that names its location. */
function headOf(path: string): string | undefined {
  try {
    // Asked once per turn, mostly of folders without one: an exception each would be the dearest part.
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (stats.isDirectory()) return readRegularFileSync(join(path, "HEAD"));
    const [, place] = /^gitdir: (.+)$/m.exec(readRegularFileSync(path)) ?? [];
    return place && readRegularFileSync(resolve(dirname(path), place.trim(), "HEAD"));
  } catch {
    return undefined;
  }
}
