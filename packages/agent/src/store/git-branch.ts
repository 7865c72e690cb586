import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The branch that is checked out at a folder; `HEAD` where there is none to name, as the official programs write it. */
export function gitBranch(folder: string): string {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const head = headOf(join(at, ".git"));
    if (head !== undefined) return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim() ?? "HEAD";
    if (at === dirname(at)) return "HEAD";
  }
}

/** What HEAD says; undefined if this is no repository. In a working tree beside the first, `.git` is a file that says where it is. */
function headOf(path: string): string | undefined {
  try {
    if (statSync(path).isDirectory()) return readFileSync(join(path, "HEAD"), "utf8");
    const [, place] = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8")) ?? [];
    return place && readFileSync(resolve(dirname(path), place.trim(), "HEAD"), "utf8");
  } catch {
    return undefined;
  }
}
