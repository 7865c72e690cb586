import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, open, realpath, rename, stat, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exists, makeFolder } from "@agentwire/local/files";
import { hasCode } from "./file-errors.ts";

/** Writes a file atomically, following symbolic links and keeping its mode and owner; returns its new modification time. */
export async function saveFile(path: string, bytes: Buffer): Promise<{ readonly mtimeMs: number }> {
  makeFolder(dirname(path));
  if (!(await replace(path, bytes))) await writeFile(path, bytes);
  return stat(path);
}

/** Returns false if replacing the old file with a new one would lose something. */
async function replace(path: string, bytes: Buffer): Promise<boolean> {
  const target = await realpath(path).catch(() => undefined);
  const before = target === undefined ? undefined : await stat(target);
  const isDeadLink = target === undefined && (await exists(path));
  const hasOtherNames = before !== undefined && before.nlink > 1;
  return isDeadLink || hasOtherNames ? false : swap(target ?? path, bytes, before);
}

async function swap(target: string, bytes: Buffer, before: Stats | undefined): Promise<boolean> {
  const temporary = join(dirname(target), `.agentwire-${randomBytes(6).toString("hex")}.tmp`);
  try {
    // Content that others may not read must stay hidden from them while it is written.
    const file = await open(temporary, "wx", before ? 0o600 : 0o666);
    try {
      await file.writeFile(bytes);
      if (before) await inherit(file, before);
    } finally {
      await file.close();
    }
    await rename(temporary, target);
    return true;
  } catch (error) {
    await unlink(temporary).catch(() => {});
    // The folder is not writable, the owner is another user, or the file is a mount point: the file itself may still be writable.
    if (hasCode(error, "EACCES", "EPERM", "EBUSY")) return false;
    throw error;
  }
}

async function inherit(file: FileHandle, before: Stats): Promise<void> {
  const now = await file.stat();
  if (now.uid !== before.uid || now.gid !== before.gid) await file.chown(before.uid, before.gid);
  // After chown, which clears the set-id bits.
  await file.chmod(before.mode & 0o7777);
}
