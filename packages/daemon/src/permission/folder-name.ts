import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";

/** The canonical name of a folder, so that sessions and rules agree regardless of spelling and symbolic links. */
export function folderName(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Whether a folder is `outer` itself or inside it. */
export function isWithin(folder: string, outer: string): boolean {
  const way = relative(outer, folder);
  return way !== ".." && !way.startsWith("../");
}
