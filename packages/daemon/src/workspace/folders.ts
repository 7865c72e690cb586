import { constants } from "node:fs";
import { access, opendir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exists } from "@agentwire/local/files";
import type { Branches, Environment } from "@agentwire/local/worktree";
import { DaemonError } from "../errors.ts";
import { branchesIn } from "./changes.ts";

/** A folder, and what a new session there can choose from. */
export interface Folder {
  readonly path: string;
  /** The parent folder; undefined for the root. */
  readonly parent: string | undefined;
  readonly folders: readonly Subfolder[];
  /** Whether there are more subfolders than listed. */
  readonly isCut: boolean;
  /** Undefined outside a repository. */
  readonly branches: Branches | undefined;
}

/** A subfolder. */
interface Subfolder {
  readonly name: string;
  readonly readable: boolean;
  readonly repository: boolean;
}

const MOST_FOLDERS = 2000;
/** A limit, because a folder may contain any number of files, which all have to be skipped. */
const MOST_ENTRIES = 50_000;

/** Lists a folder with the permissions of the daemon's user. */
export async function lookIntoFolder(given: string, env: Environment): Promise<Folder> {
  const path = await realpath(given);
  const [{ names, isCut }, branches] = await Promise.all([namesIn(path), branchesIn(path, env)]);
  const folders = await Promise.all(names.map((name) => subfolder(path, name)));
  const parent = dirname(path);
  return { path, parent: parent === path ? undefined : parent, folders, isCut, branches };
}

async function namesIn(
  path: string,
): Promise<{ readonly names: readonly string[]; readonly isCut: boolean }> {
  const names: string[] = [];
  let seen = 0;
  try {
    for await (const entry of await opendir(path)) {
      seen += 1;
      if (seen > MOST_ENTRIES) break;
      if (entry.isDirectory() || (entry.isSymbolicLink() && (await leadsToFolder(join(path, entry.name)))))
        names.push(entry.name);
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === "EACCES" || code === "EPERM" ? "its user may not open it" : String(cause);
    throw new DaemonError("INVALID_ARGUMENT", `path: the daemon can't read ${path}: ${why}`, { cause });
  }
  const isHidden = (name: string) => Number(name.startsWith("."));
  names.sort((one, other) => isHidden(one) - isHidden(other) || one.localeCompare(other, "en"));
  const isCut = seen > MOST_ENTRIES || names.length > MOST_FOLDERS;
  return { names: names.slice(0, MOST_FOLDERS), isCut };
}

const leadsToFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

async function subfolder(parent: string, name: string): Promise<Subfolder> {
  const path = join(parent, name);
  const mayRead = access(path, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  const [readable, repository] = await Promise.all([mayRead, exists(join(path, ".git"))]);
  return { name, readable, repository };
}
