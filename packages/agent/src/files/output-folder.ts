import { chmodSync, lstatSync, mkdirSync, type Stats } from "node:fs";
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
 * link or belongs to somebody else, who could read and change what commands put out.
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
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) throw error;
    if (!isOurs(found))
      throw new Error(
        `${path} is not a folder of this user, so another user could read and change the output of commands: remove it, or set CLAUDE_CODE_TMPDIR to a folder of your own`,
      );
    if ((found.mode & OTHERS) !== 0) chmodSync(path, 0o700);
  }
}

const isOurs = (found: Stats | undefined): boolean =>
  found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid);
