import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isFile } from "./folder.ts";

/** The first program of that name on PATH. Relative folders are skipped because their meaning depends on the current folder. */
export function onPath(
  name: string,
  { PATH = "" }: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return PATH.split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isProgram);
}

/** Whether a path is an executable file. */
export function isProgram(path: string): boolean {
  if (!isFile(path)) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
