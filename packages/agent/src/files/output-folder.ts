import { chmodSync, lstatSync, mkdirSync, type Stats } from "node:fs";
import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "@agentwire/local/files";

const OTHERS = 0o077;

/** The name of this user's folder in the temporary folder. Others can guess it, and may have created it first. */
const OUR_NAME = `agentwire-${process.getuid?.() ?? 0}`;

/** Where a session stores the output of its tools. */
export function outputFolder(temporaryFolder: string, project: string, session: string): string {
  return join(temporaryFolder, OUR_NAME, project, session, "tasks");
}

/**
 * Creates an output folder that only this user can access. Throws if it, or a folder above it up to the one with our name, is a
 * link or belongs to another user, who could then read and change the output of commands.
 */
export function makeOutputFolder(folder: string): void {
  const own = ownFolders(folder);
  makeFolder(dirname(own[0] ?? folder));
  for (const path of own) makePrivate(path);
}

/** Whether only this user can have written to an output folder; false if it does not exist. */
export function isOwnOutputFolder(folder: string): boolean {
  return ownFolders(folder).every((path) => isOurs(lstatSync(path, { throwIfNoEntry: false })));
}

/** The folder and those above it up to the one with our name, outermost first; only the folder itself if none has our name. */
function ownFolders(folder: string): readonly string[] {
  const path = [folder];
  for (let at = folder; basename(at) !== OUR_NAME; at = dirname(at)) {
    if (dirname(at) === at) return [folder];
    path.unshift(dirname(at));
  }
  return path;
}

function makePrivate(path: string): void {
  // Check first: the folder exists on all calls but the first, and an exception would cost more than everything else here.
  const found = lstatSync(path, { throwIfNoEntry: false }) ?? madeOrFound(path);
  if (!found) return;
  if (!isOurs(found))
    throw new Error(
      `${path} is not a folder owned by this user, so another user could read and change the output of commands: remove it, or set CLAUDE_CODE_TMPDIR to a folder that only you can write to`,
    );
  if ((found.mode & OTHERS) !== 0) chmodSync(path, 0o700);
}

/** Creates a folder; if another process has just created the path, returns what is there. */
function madeOrFound(path: string): Stats | undefined {
  try {
    mkdirSync(path, 0o700);
    return undefined;
  } catch (error) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) throw error;
    return found;
  }
}

const isOurs = (found: Stats | undefined): boolean =>
  found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid);

/** How long the output of a session is kept in case it is resumed. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Removes our files from the temporary folder except outputs that may still be read: `folder` is the session's output folder,
 * below those of its id and its project. The outputs of old sessions of the project are removed entirely. Never rejects.
 */
export async function tidyOutputs(folder: string): Promise<void> {
  const session = dirname(folder);
  const project = dirname(session);
  // Other users can write to the temporary folder too: never remove what they created under our name.
  if (!isOurs(await lstat(dirname(project)).catch(() => undefined))) return;
  await removeOld(project);
  // Innermost first: a folder that is still in use is not empty, so it stays.
  for (const empty of [folder, session, project, dirname(project)]) await rmdir(empty).catch(() => {});
}

async function removeOld(project: string): Promise<void> {
  const names = await readdir(project).catch(() => []);
  for (const name of names) {
    const path = join(project, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isDirectory() && Date.now() - found.mtimeMs > KEPT_MS)
      await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}
