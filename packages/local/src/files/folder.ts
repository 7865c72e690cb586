import { closeSync, mkdirSync, openSync, type Stats, statSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { isNoEntry } from "./regular-file.ts";

/** Whether a path is a folder; false where that can't be determined. */
export const isFolder = (path: string): boolean => statOf(path)?.isDirectory() ?? false;

/** Whether a path is a regular file; false where that can't be determined. */
export const isFile = (path: string): boolean => statOf(path)?.isFile() ?? false;

/** Whether anything exists at a path, including a dangling link; false where that can't be determined. */
export const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/**
 * Whether nothing exists at a path. Synchronous, because most lookups find nothing and an asynchronous one costs ten times as much. Use it
 * only inside a folder that has just responded: a disk that hangs would block the whole process.
 */
export function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    return isNoEntry(error);
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Creates a folder and its parents. Node's own recursive mkdir loops forever where the system refuses to create folders, such as in /proc.
 * Throws the system's error.
 */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process may have created it at the same moment.
    if (!isFolder(path)) throw error;
  }
}

/** Creates a folder and its parents with access for the owner only. */
export function makePrivateFolder(path: string): void {
  makeFolder(path, 0o700);
}

/** Creates an empty file and its folder, if missing, with access for the owner only. */
export function createPrivateFile(path: string): void {
  makePrivateFolder(dirname(path));
  closeSync(openSync(path, "a", 0o600));
}
