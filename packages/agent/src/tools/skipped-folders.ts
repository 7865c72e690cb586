const SKIPPED = [".git", ".hg", ".svn", ".jj", "node_modules"];

/** Tells which folders a search leaves out because nobody looks for anything there, unless the search names them. */
export function skippedFolders(...asked: readonly (string | undefined)[]): ReadonlySet<string> {
  const named = new Set(asked.flatMap((text) => text?.split(/[\\/]/) ?? []));
  return new Set(SKIPPED.filter((name) => !named.has(name)));
}
