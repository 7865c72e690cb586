import { readdir } from "node:fs/promises";
import { basename, relative } from "node:path";
import { walk } from "../tools/walk.ts";

const MAX_SUGGESTIONS = 20;
const MAX_FOUND = 1000;
const DEPTH = 20;
/** Suggestions have to appear while the user types. */
const TIMEOUT_MS = 500;
/** Skipped unless the typed text names them. */
const SKIPPED = [".git", ".hg", ".svn", ".jj", "node_modules"];

/** The files below a folder whose paths contain the typed text, starting with those whose names begin with it; if nothing was typed, the entries of the folder itself. */
export async function suggestFiles(
  cwd: string,
  typed: string,
  signal: AbortSignal,
): Promise<{ path: string }[]> {
  if (typed === "")
    return (await readdir(cwd).catch(() => [])).slice(0, MAX_SUGGESTIONS).map((path) => ({ path }));
  const wanted = typed.toLowerCase();
  const named = typed.split(/[\\/]/);
  const skipped = new Set(SKIPPED.filter((name) => !named.includes(name)));
  const found: string[] = [];
  const files = walk(cwd, {
    keep: (_folder, entries) => entries.filter(({ name }) => !skipped.has(name)),
    depth: DEPTH,
    links: true,
    until: AbortSignal.timeout(TIMEOUT_MS),
    signal,
  });
  for await (const paths of files) {
    const matching = paths
      .map((path) => relative(cwd, path))
      .filter((path) => path.toLowerCase().includes(wanted));
    found.push(...matching);
    if (found.length >= MAX_FOUND) break;
  }
  const begins = (path: string) => (basename(path).toLowerCase().startsWith(wanted) ? 0 : 1);
  const best = found.toSorted((a, b) => begins(a) - begins(b) || a.length - b.length);
  return best.slice(0, MAX_SUGGESTIONS).map((path) => ({ path }));
}
