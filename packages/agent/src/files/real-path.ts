import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";

const MAX_LINKS = 40;

/** A cache of resolved paths: the paths in one command often share folders. */
export type Followed = Map<string, Promise<string>>;

/**
 * The real path, even if its last parts do not exist yet: follows every link on the way, including dangling ones. Rejects if
 * that is not possible.
 */
export async function realPath(
  path: string,
  followed: Followed = new Map(),
  linksLeft = MAX_LINKS,
): Promise<string> {
  if (linksLeft < 0) throw new Error(`${path} has too many links`);
  const key = `${linksLeft} ${path}`;
  const known = followed.get(key) ?? follow(path, followed, linksLeft);
  followed.set(key, known);
  return known;
}

async function follow(path: string, followed: Followed, linksLeft: number): Promise<string> {
  const found = await unlessAbsent(realpath(path));
  if (found !== undefined) return found;
  const parent = dirname(path);
  if (parent === path) return path;
  // A file created through a dangling link ends up at the link's target.
  const isLink = (await unlessAbsent(lstat(path)))?.isSymbolicLink() === true;
  if (!isLink) return join(await realPath(parent, followed, linksLeft), basename(path));
  const target = await readlink(path);
  const folder = await realPath(parent, followed, linksLeft);
  return realPath(isAbsolute(target) ? target : `${folder}/${target}`, followed, linksLeft - 1);
}

/**
 * Every file that a tool may understand a path as: with `..` resolved before or after links, and with `~` expanded or not.
 * Rejects if one of them can't be resolved.
 */
export async function realPaths(
  path: string,
  { cwd, home, followed }: { readonly cwd: string; readonly home: string; readonly followed?: Followed },
): Promise<readonly string[]> {
  const isInHome = path === "~" || path.startsWith("~/");
  const spellings = [path, ...(isInHome ? [`${home}/${path.slice(1)}`] : [])];
  const absolute = spellings.flatMap((one) => [resolve(cwd, one), isAbsolute(one) ? one : `${cwd}/${one}`]);
  return [...new Set(await Promise.all([...new Set(absolute)].map((one) => realPath(one, followed))))];
}

/** Whether a path is a folder or inside it; both must be real paths. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}

async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
