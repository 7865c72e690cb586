import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isJsonObject } from "@agentwire/protocol";

/** What was found at a path. */
export type FileState =
  | { readonly kind: "absent" }
  /** A regular file; `hash` names its backup. */
  | { readonly kind: "file"; readonly hash: string; readonly size: number; readonly mode: number }
  /** Not restorable: a link, a folder, or a file that is too large or could not be read. */
  | { readonly kind: "unsaved" };

/** The state of a file before it was first changed. */
export interface SavedFile {
  readonly path: string;
  /** The real path of its folder: a link that has replaced it since must not be followed. */
  readonly folder: string;
  readonly state: FileState;
}

/** What is at a path now, without following links; a file with several hard links counts as a link. */
export async function readFileState(
  path: string,
): Promise<"absent" | "link" | { size: number; mode: number }> {
  try {
    const stats = await lstat(path);
    return stats.isFile() && stats.nlink === 1 ? { size: stats.size, mode: stats.mode & 0o777 } : "link";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "absent";
    throw error;
  }
}

/** The real path of a path's folder, which need not exist yet. */
export async function realFolderOf(path: string): Promise<string> {
  const folder = dirname(path);
  try {
    return await realpath(folder);
  } catch (error) {
    if (folder === path || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return join(await realFolderOf(folder), basename(folder));
  }
}

/** Reads a saved file back from its JSON. */
export function readSavedFile(value: unknown): SavedFile | undefined {
  if (!isJsonObject(value)) return undefined;
  const { path, folder } = value;
  const state = readState(value.state);
  return typeof path === "string" && typeof folder === "string" && state
    ? { path, folder, state }
    : undefined;
}

function readState(value: unknown): FileState | undefined {
  if (!isJsonObject(value)) return undefined;
  const { kind, hash, size, mode } = value;
  if (kind === "absent" || kind === "unsaved") return { kind };
  if (kind !== "file" || typeof hash !== "string" || !/^[0-9a-f]{64}$/.test(hash)) return undefined;
  return typeof size === "number" && typeof mode === "number" ? { kind, hash, size, mode } : undefined;
}
