import { constants, mkdir, open, readFile, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { type Backups, hashOf, MAX_BACKUP_BYTES } from "./backups.ts";
import { type ChangedLines, changedLines, NO_LINES } from "./changed-lines.ts";
import { readFileState, realFolderOf, type SavedFile } from "./file-state.ts";

/** The result for one file of a rewind. */
export type RestoreResult = "unchanged" | "done" | "skipped" | "failed";

/** Restores a file to its saved state, unless a link makes it uncertain which file that would change. */
export async function restoreFile(
  { path, folder, state }: SavedFile,
  backups: Backups,
): Promise<RestoreResult> {
  if (state.kind === "unsaved") return "skipped";
  try {
    const now = await readFileState(path);
    if (now === "link" || (await realFolderOf(path)) !== folder) return "skipped";
    if (state.kind === "absent") {
      if (now === "absent") return "unchanged";
      await unlink(path);
      return "done";
    }
    if (now !== "absent" && now.size === state.size && hashOf(await readFile(path)) === state.hash) {
      return "unchanged";
    }
    await overwrite(path, await backups.read(state.hash), state.mode);
    return "done";
  } catch {
    return "failed";
  }
}

/** The lines that restoring a file would change; undefined if it has not changed, or cannot be restored. */
export async function previewRestore(
  { path, state }: SavedFile,
  backups: Backups,
): Promise<ChangedLines | undefined> {
  if (state.kind === "unsaved") return undefined;
  const found = await readFileState(path);
  if (found === "link" || (found !== "absent" && found.size > MAX_BACKUP_BYTES)) return NO_LINES;
  const now = found === "absent" ? undefined : await readFile(path);
  const then = state.kind === "absent" ? undefined : await backups.read(state.hash);
  if (now === undefined || then === undefined ? now === then : now.equals(then)) return undefined;
  return changedLines(now ?? NOTHING, then ?? NOTHING);
}

const NOTHING = Buffer.alloc(0);

async function overwrite(path: string, content: Buffer, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
}
