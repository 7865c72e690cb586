import { readdir } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";

const MAX_NAMES = 2000;
const MAX_LENGTH = 80;

/** A file next to a missing one whose name is similar. */
export async function similarName(missing: string): Promise<string | undefined> {
  const folder = dirname(missing);
  const wanted = basename(missing);
  const names = await readdir(folder).catch(() => []);
  const ranked = names
    .slice(0, MAX_NAMES)
    .filter((name) => name !== wanted)
    .map((name) => ({ name, distance: distance(wanted, name) }))
    .filter((candidate) => candidate.distance <= 2)
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && join(folder, best.name);
}

/** 0 for names that differ only in case, 1 for another extension, otherwise the number of changed characters. */
function distance(wanted: string, name: string): number {
  const a = wanted.toLowerCase();
  const b = name.toLowerCase();
  if (a === b) return 0;
  if (stem(a) === stem(b)) return 1;
  if (a.length > MAX_LENGTH || Math.abs(a.length - b.length) > 2) return Number.POSITIVE_INFINITY;
  return edits(a, b);
}

function stem(name: string): string {
  return basename(name, extname(name));
}

function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, at(row, j) + 1, at(next, j - 1) + 1));
    }
    row = next;
  }
  return at(row, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
