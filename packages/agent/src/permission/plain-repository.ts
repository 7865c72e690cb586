import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

const MAX_CONFIG_CHARS = 64 * 1024;
// All else in a repository's own configuration may name a program that git runs even where it only shows something.
const PLAIN_SECTIONS =
  /^\[(?:core|remote "[^"]*"|branch "[^"]*"|submodule "[^"]*"|user|init|pull|push|fetch|gc)\]$/i;
const PLAIN_CORE_KEYS: ReadonlySet<string> = new Set(
  (
    "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol " +
    "quotepath safecrlf abbrev"
  ).split(" "),
);

/** Whether git, called in a folder, runs nothing but itself: whoever hands over a repository also writes its configuration. */
export async function isPlainRepository(folder: string): Promise<boolean> {
  // A folder that looks like what lies in `.git` is taken for a repository, and its configuration with it.
  if (await exists(join(folder, "HEAD"))) return false;
  for (let at = folder; ; at = dirname(at)) {
    const repository = join(at, ".git");
    if (await exists(repository)) return isPlain(repository);
    if (at === dirname(at)) return true;
  }
}

async function isPlain(repository: string): Promise<boolean> {
  // Even `git status` writes the index anew, and calls this hook.
  if (await exists(join(repository, "hooks/post-index-change"))) return false;
  return isPlainConfig(await readFile(join(repository, "config"), "utf8").catch(() => undefined));
}

function isPlainConfig(text: string | undefined): boolean {
  if (text === undefined || text.length > MAX_CONFIG_CHARS) return false;
  let section = "";
  for (const line of text.split(/\r?\n/).map((one) => one.trim())) {
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    if (line.startsWith("[")) {
      if (!PLAIN_SECTIONS.test(line)) return false;
      section = line.slice(1, -1).split(" ")[0]?.toLowerCase() ?? "";
    } else if (!isPlainEntry(section, line)) return false;
  }
  return true;
}

function isPlainEntry(section: string, line: string): boolean {
  const key = line.split(/[\s=]/, 1)[0]?.toLowerCase() ?? "";
  // A value that goes on in the next line could hide another one.
  if (section === "" || line.endsWith("\\")) return false;
  return section !== "core" || PLAIN_CORE_KEYS.has(key);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
