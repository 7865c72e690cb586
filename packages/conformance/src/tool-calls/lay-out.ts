import { chmod, lutimes, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A file of a project, or a link if it has a target. */
export interface ProjectFile {
  readonly path: string;
  readonly content?: string | Uint8Array;
  /** The target of the link. */
  readonly target?: string;
  /** The order of modification times: files with higher numbers were changed later. */
  readonly time?: number;
  readonly mode?: number;
}

const FIRST_SECOND = 1_700_000_000;

/** Writes files into a folder, each with its own modification time. */
export async function layOut(folder: string, files: readonly ProjectFile[]): Promise<void> {
  for (const [index, { path, content = "", target, time = index, mode }] of files.entries()) {
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true });
    if (target === undefined) await writeFile(place, content);
    else await symlink(target, place);
    if (mode !== undefined) await chmod(place, mode);
    await lutimes(place, FIRST_SECOND + time, FIRST_SECOND + time);
  }
}
