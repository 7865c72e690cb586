import { lstat, readFile, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { exists } from "@agentwire/local/files";
import { hasSubmodules } from "./git-index.ts";

const MAX_CONFIG_CHARS = 64 * 1024;
// All else in a repository's own configuration may name a program that git runs even where it only shows something.
const PLAIN_KEYS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "core",
    names(
      "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol quotepath",
      "safecrlf abbrev",
    ),
  ],
  // No `promisor`, `uploadpack`, `vcs` or `proxy`: git starts something to fetch what is missing.
  ["remote", names("url pushurl fetch push tagopt prune")],
  ["branch", names("remote merge rebase description pushremote")],
  ["user", names("name email")],
  ["init", names("defaultbranch")],
  ["pull", names("rebase ff")],
  ["push", names("default autosetupremote followtags")],
  ["fetch", names("prune prunetags")],
  ["gc", names("auto")],
]);
const SECTION = /^\[(\w+)(?: "[^"\\]*")?\]$/;

function names(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}

/**
 * Whether git, called in a folder, finds a repository whose own files make it run nothing but git itself: the author of a
 * repository also writes its configuration. What else could run is switched off by the environment that such a call gets.
 */
export async function isPlainRepository(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    // A folder that looks like what lies in `.git` is taken for a repository, by older versions whatever they are told.
    if (await exists(join(at, "HEAD"))) return false;
    const found = join(at, ".git");
    if (await exists(found)) return isPlain(found).catch(() => false);
    if (at === dirname(at)) return true;
  }
}

async function isPlain(found: string): Promise<boolean> {
  const own = await ownFolder(found);
  const common = await commonFolder(own);
  // Only what `git worktree` makes has its common files elsewhere.
  if (common !== own && (basename(common) !== ".git" || dirname(own) !== join(common, "worktrees")))
    return false;
  if (await exists(join(own, "config.worktree"))) return false;
  return isPlainConfig(await text(join(common, "config"))) && !(await hasSubmodules(join(own, "index")));
}

/** The folder of a repository: the one that was found, or the one that a file in its place names. */
async function ownFolder(found: string): Promise<string> {
  if ((await lstat(found)).isDirectory()) return found;
  const [, path] = /^gitdir: (.+?)\n?$/.exec(await text(found)) ?? [];
  if (path === undefined) throw new Error(`${found} names no folder`);
  return realpath(resolve(dirname(found), path));
}

async function commonFolder(own: string): Promise<string> {
  const path = join(own, "commondir");
  if (!(await exists(path))) return own;
  const named = (await text(path)).trimEnd();
  return realpath(isAbsolute(named) ? named : join(own, named));
}

function isPlainConfig(config: string): boolean {
  let keys: ReadonlySet<string> | undefined;
  for (const line of config.split(/\r?\n/).map((one) => one.trim())) {
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    if (line.startsWith("[")) keys = PLAIN_KEYS.get(SECTION.exec(line)?.[1]?.toLowerCase() ?? "");
    const key = line.split(/[\s=]/, 1)[0]?.toLowerCase() ?? "";
    // A value that continues in the next line could hide another one.
    if (!keys || line.endsWith("\\") || (!line.startsWith("[") && !keys.has(key))) return false;
  }
  return true;
}

/** The text of a small regular file. */
async function text(path: string): Promise<string> {
  const file = await lstat(path);
  if (!file.isFile() || file.size > MAX_CONFIG_CHARS) throw new Error(`${path} is not a small file`);
  return readFile(path, "utf8");
}
