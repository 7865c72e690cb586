import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** How to walk a directory tree. */
export interface WalkOptions {
  /** Called with each folder before its entries are read. */
  readonly enter?: (folder: string) => Promise<void>;
  /** Selects the entries of a folder to visit. */
  readonly keep: (folder: string, entries: readonly Dirent[]) => readonly Dirent[];
  /** How many levels to descend. */
  readonly depth: number;
  /** Whether to include the names of symbolic links; links to folders are never followed, so there are no loops. */
  readonly links: boolean;
  /** Ends the walk early, with the files found so far. */
  readonly until: AbortSignal;
  /** Aborts the walk. */
  readonly signal: AbortSignal;
}

/** Yields the files of a tree, one folder at a time, sorted by name; folders that can't be opened are skipped. */
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
    // The stack returns the last folder first.
    for (const entry of kept.toReversed()) {
      if (entry.isDirectory()) open.push({ folder: join(folder, entry.name), depth: depth - 1 });
    }
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
