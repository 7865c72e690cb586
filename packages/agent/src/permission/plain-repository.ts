import { lstat, readFile, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { exists } from "@agentwire/local/files";
import { hasSubmodules } from "./git-index.ts";

const MAX_CONFIG_CHARS = 64 * 1024;
// Any other key in a repository's own configuration may name a program that git runs even for read-only commands.
const PLAIN_KEYS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "core",
    names(
      "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol quotepath",
      "safecrlf abbrev",
    ),
  ],
  // No `promisor`, `uploadpack`, `vcs` or `proxy`: git starts a program to fetch missing objects.
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
 * Whether the repository that git finds from a folder has no files of its own that make git run other programs: the author of a
 * repository also writes its configuration. Everything else that git could run is disabled through the call's environment.
 */
export async function isPlainRepository(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    // Git recognizes any folder with the contents of a `.git` folder as a repository; older versions do so regardless of
    // settings.
    if (await exists(join(at, "HEAD"))) return false;
    const found = join(at, ".git");
    if (await exists(found)) return isPlain(found).catch(() => false);
    if (at === dirname(at)) return true;
  }
}

async function isPlain(found: string): Promise<boolean> {
  const own = await ownFolder(found);
  const common = await commonFolder(own);
  // Only a checkout made by `git worktree` has its common files elsewhere.
  if (common !== own && (basename(common) !== ".git" || dirname(own) !== join(common, "worktrees")))
    return false;
  if (await exists(join(own, "config.worktree"))) return false;
  return isPlainConfig(await text(join(common, "config"))) && !(await hasSubmodules(join(own, "index")));
}

/** The folder of a repository: `.git` itself, or the folder that a `.git` file names. */
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
    // A value that continues on the next line could hide another key.
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
