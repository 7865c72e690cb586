const SKIPPED = [".git", ".hg", ".svn", ".jj", "node_modules"];

/** The folders that a search leaves out unless it names them. */
export function skippedFolders(...asked: readonly (string | undefined)[]): ReadonlySet<string> {
  const named = new Set(asked.flatMap((text) => text?.split(/[\\/]/) ?? []));
  return new Set(SKIPPED.filter((name) => !named.has(name)));
}
