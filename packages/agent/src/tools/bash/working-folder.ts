import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import type { Workspace } from "../workspace.ts";

/**
 * Moves the workspace to the directory that a command's `cd` led to; if that is outside the project, moves it back to where the
 * session started and returns a note about it.
 */
export function followFolder(workspace: Workspace, reported: string): string | undefined {
  const folder = folderAt(reported);
  if (folder === undefined || folder === folderAt(workspace.cwd)) return undefined;
  for (const root of workspace.roots) {
    if (!contains(folderAt(root) ?? root, folder)) continue;
    workspace.cwd = folder;
    return undefined;
  }
  workspace.cwd = workspace.roots[0] ?? workspace.cwd;
  return `Shell cwd was reset to ${workspace.cwd}`;
}

/** Makes sure that the workspace is in a folder that exists; returns a note if it had to be moved. */
export function ensureFolder(workspace: Workspace): string | undefined {
  if (folderAt(workspace.cwd) !== undefined) return undefined;
  const gone = workspace.cwd;
  workspace.cwd = workspace.roots[0] ?? workspace.home;
  return `The working folder is ${workspace.cwd} now, because ${gone} does not exist any more.`;
}

function folderAt(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

function contains(root: string, folder: string): boolean {
  const way = relative(root, folder);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
