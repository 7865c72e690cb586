import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";

/** The one name of a folder, by which sessions and rules mean the same however it was spelled, and through whichever link. */
export function folderName(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Whether a folder is another one, or in it. */
export function isWithin(folder: string, outer: string): boolean {
  const way = relative(outer, folder);
  return way !== ".." && !way.startsWith("../");
}
