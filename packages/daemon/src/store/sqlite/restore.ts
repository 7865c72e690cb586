import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { errorMessage } from "@agentwire/protocol/support";
import { secureFolder } from "../../folder.ts";
import { StoreError } from "../store-error.ts";
import { versionOf } from "./database.ts";
import { lockStore } from "./lock.ts";
import { checkStore } from "./maintenance.ts";

/** The result of a restore. */
export interface RestoreResult {
  readonly path: string;
  /** The new path of the previous store; undefined if there was none. */
  readonly putAside: string | undefined;
  readonly sizeBytes: number;
}

/** The suffixes of SQLite's files; they belong together. */
const BESIDE = ["", "-wal", "-shm"];

/**
 * Replaces the store of a folder by a copy of a backup. The copy is checked first, the previous store is moved aside, and no
 * daemon may be using it. Throws a `StoreError` or `UnusableFolder`, in which case nothing has changed.
 */
export async function restoreStore(folder: string, copy: string, now: Date): Promise<RestoreResult> {
  secureFolder(folder);
  const path = join(folder, "agentwire.db");
  const unlock = lockStore(path);
  const part = `${path}.restoring`;
  try {
    if (!statSync(copy, { throwIfNoEntry: false })?.isFile())
      throw new StoreError("failed", `there is no file ${copy}`);
    for (const suffix of ["-wal", "-journal"])
      if ((statSync(`${copy}${suffix}`, { throwIfNoEntry: false })?.size ?? 0) > 0)
        throw new StoreError("failed", `${copy} is in use, or was not closed: make a backup of it first`);
    // A copy of the backup is checked and used, so that later changes to the backup don't matter.
    bring(copy, part);
    versionOf(part);
    const damage = await checkStore(part);
    if (damage)
      throw new StoreError("corrupt", `${copy} is damaged: ${errorMessage(damage.cause)}`, { cause: damage });
    const putAside = putAsideAs(path, now);
    renameSync(part, path);
    sync(folder);
    return { path, putAside, sizeBytes: statSync(path).size };
  } finally {
    for (const suffix of BESIDE) rmSync(`${part}${suffix}`, { force: true });
    unlock();
  }
}

function bring(from: string, to: string): void {
  try {
    rmSync(to, { force: true });
    closeSync(openSync(to, "wx", 0o600));
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    sync(to);
  } catch (cause) {
    throw new StoreError("failed", `${from} can't be copied to ${to}: ${errorMessage(cause)}`, { cause });
  }
}

/** Nothing is ever deleted here: the old store may be the only copy. */
function putAsideAs(path: string, now: Date): string | undefined {
  if (!statSync(path, { throwIfNoEntry: false })) return undefined;
  const aside = `${path}.before-${now.toISOString().replace(/[-:]|\.\d+/g, "")}`;
  if (statSync(aside, { throwIfNoEntry: false }))
    throw new StoreError("failed", `${aside} already exists: move it away first`);
  for (const suffix of BESIDE)
    if (statSync(`${path}${suffix}`, { throwIfNoEntry: false }))
      renameSync(`${path}${suffix}`, `${aside}${suffix}`);
  return aside;
}

function sync(path: string): void {
  const handle = openSync(path, "r");
  fsyncSync(handle);
  closeSync(handle);
}
