import { closeSync, mkdirSync, openSync, type Stats, statSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { isNoEntry } from "./regular-file.ts";

/** Whether a path leads to a folder; false where that can't be determined. */
export const isFolder = (path: string): boolean => statOf(path)?.isDirectory() ?? false;

/** Whether a path leads to a regular file; false where that can't be determined. */
export const isFile = (path: string): boolean => statOf(path)?.isFile() ?? false;

/** Whether there is anything at a path, a link that leads nowhere included; false where that can't be determined. */
export const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/**
 * Whether there is nothing at a path. Asked at once, because most of what is looked for is missing and a detour through another thread costs
 * ten times as much: only for what lies in a folder that has just answered, since a disk that does not would block all that the process does.
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
 * Makes a folder with those above it. Node's own recursive way tries for ever where the system makes none, as below /proc.
 * Throws what the system says.
 */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process may have made it at the same moment.
    if (!isFolder(path)) throw error;
  }
}

/** The same for its owner alone. */
export function makePrivateFolder(path: string): void {
  makeFolder(path, 0o700);
}

/** Makes an empty file if there is none, with its folder, for its owner alone. */
export function createPrivateFile(path: string): void {
  makePrivateFolder(dirname(path));
  closeSync(openSync(path, "a", 0o600));
}
