import { chmodSync, lstatSync, mkdirSync, type Stats } from "node:fs";
import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "@agentwire/local/files";

const OTHERS = 0o077;

/** The name in the temporary folder below which everything is this user's: others can guess it, and may be there first. */
const OUR_NAME = `agentwire-${process.getuid?.() ?? 0}`;

/** Where a session keeps what its tools put out. */
export function outputFolder(temporaryFolder: string, project: string, session: string): string {
  return join(temporaryFolder, OUR_NAME, project, session, "tasks");
}

/**
 * Makes an output folder that only this user can enter. Throws if the folder, or one of those above it that are ours by name, is a
 * link or belongs to another user, who could read and change the output of commands.
 */
export function makeOutputFolder(folder: string): void {
  const own = ownFolders(folder);
  makeFolder(dirname(own[0] ?? folder));
  for (const path of own) makePrivate(path);
}

/** Whether what is in an output folder can only have been put there by this user; false where there is none. */
export function isOwnOutputFolder(folder: string): boolean {
  return ownFolders(folder).every((path) => isOurs(lstatSync(path, { throwIfNoEntry: false })));
}

/** The folder and those above it up to the one with our name, from the outside in; the folder alone if none has it. */
function ownFolders(folder: string): readonly string[] {
  const path = [folder];
  for (let at = folder; basename(at) !== OUR_NAME; at = dirname(at)) {
    if (dirname(at) === at) return [folder];
    path.unshift(dirname(at));
  }
  return path;
}

function makePrivate(path: string): void {
  // Looked at first: it is there for every call but the first, and an exception costs more than all the rest.
  const found = lstatSync(path, { throwIfNoEntry: false }) ?? madeOrFound(path);
  if (!found) return;
  if (!isOurs(found))
    throw new Error(
      `${path} is not a folder of this user, so another user could read and change the output of commands: remove it, or set CLAUDE_CODE_TMPDIR to a folder of your own`,
    );
  if ((found.mode & OTHERS) !== 0) chmodSync(path, 0o700);
}

/** Makes a folder; returns what is there instead if another process was quicker. */
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

/** How long the outputs of a session are kept for those who take it up again. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Removes everything from the temporary folder but outputs that may still be read: `folder` is where the session kept its
 * own, below its id and the name of the project. Old sessions of the same project go altogether. Never rejects.
 */
export async function tidyOutputs(folder: string): Promise<void> {
  const session = dirname(folder);
  const project = dirname(session);
  // Others may write to the temporary folder as well: what they put in our place is not ours to clear away.
  if (!isOurs(await lstat(dirname(project)).catch(() => undefined))) return;
  await removeOld(project);
  // From the inside out: a folder that is still in use is not empty, and stays.
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
