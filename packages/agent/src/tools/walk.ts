import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** How to go through a tree of folders. */
export interface WalkOptions {
  /** Called with each folder before what is in it is looked at. */
  readonly enter?: (folder: string) => Promise<void>;
  /** Picks what to look at in a folder. */
  readonly keep: (folder: string, entries: readonly Dirent[]) => readonly Dirent[];
  /** How many levels to go down. */
  readonly depth: number;
  /** Whether the names of symbolic links are wanted; they are never followed into folders, so there are no loops. */
  readonly links: boolean;
  /** Ends the walk early, with what there is. */
  readonly until: AbortSignal;
  /** Gives up the walk. */
  readonly signal: AbortSignal;
}

/** Yields the files of a tree, one folder's at a time, in the order of their names; folders that can't be opened are passed over. */
export async function* walk(root: string, options: WalkOptions): AsyncGenerator<readonly string[]> {
  const open = [{ folder: root, depth: options.depth }];
  for (let next = open.pop(); next; next = open.pop()) {
    options.signal.throwIfAborted();
    if (options.until.aborted) return;
    const { folder, depth } = next;
    await options.enter?.(folder);
    const kept = options.keep(folder, await entriesOf(folder));
    const files = kept.filter((entry) => entry.isFile() || (options.links && entry.isSymbolicLink()));
    if (files.length > 0) yield files.map((entry) => join(folder, entry.name));
    if (depth <= 1) continue;
    // The last in is the first out.
    for (const entry of kept.toReversed()) {
      if (entry.isDirectory()) open.push({ folder: join(folder, entry.name), depth: depth - 1 });
    }
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
