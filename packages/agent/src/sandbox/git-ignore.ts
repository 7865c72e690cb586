import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { wordsOf } from "./command-line.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const GIT_MS = 5000;

/**
 * The names that the sandbox closes although they do not exist outside: commands see an empty device under each name, which git
 * would consider a new file and then refuse to add.
 */
export function closedNames(line: string): readonly string[] {
  const words = wordsOf(line);
  return words.filter(
    (path, at) => words[at - 2] === "--ro-bind" && words[at - 1] === "/dev/null" && !existsSync(path),
  );
}

/** Writes a list of files for git to ignore: those in the user's own list, and closed names. */
export function writeIgnored(path: string, own: string, names: Iterable<string>): void {
  const patterns = [...names].map(
    (name) => `/${relative(topOf(dirname(name)), name).replace(/[\\*?[\]#! ]/g, "\\$&")}`,
  );
  writeFileSync(path, [own.trimEnd(), ...patterns, ""].join("\n"), { mode: 0o600 });
}

/** The user's global ignore list of git; empty if there is none. Never rejects. */
export async function ownIgnored(env: Environment, home: string): Promise<string> {
  const named = await new Promise<string>((resolve) => {
    const args = ["config", "--global", "--get", "--path", "core.excludesFile"];
    execFile("git", args, { env: { ...env }, timeout: GIT_MS }, (_, stdout) => resolve(stdout.trim()));
  });
  const path = named || join(env.XDG_CONFIG_HOME || join(home, ".config"), "git", "ignore");
  return readFile(path, "utf8").catch(() => "");
}

/** The root of the repository that contains a folder, or the folder itself. */
function topOf(folder: string): string {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) if (existsSync(join(at, ".git"))) return at;
  return folder;
}
