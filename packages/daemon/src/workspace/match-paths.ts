import { setImmediate as nextTurn } from "node:timers/promises";
import type { FileList } from "./file-list.ts";

/** How many paths are compared at a time: everything else in the daemon waits for that. */
const AT_ONCE = 20_000;

interface Match {
  readonly index: number;
  readonly score: number;
}

/** The paths that contain the letters of a query in order, best first: whole words and file names score highest. */
export async function matchPaths(
  { paths, lower }: Pick<FileList, "paths" | "lower">,
  query: string,
  limit: number,
): Promise<readonly string[]> {
  const wanted = query.toLowerCase().replaceAll(/\s+/g, "");
  if (wanted === "") return paths.slice(0, limit);
  const best: Match[] = [];
  for (let index = 0; index < lower.length; index++) {
    const path = lower[index] ?? "";
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
    const score = scoreOf(path, wanted);
    const worst = best.at(-1);
    if (score === 0 || (best.length >= limit && worst && score <= worst.score)) continue;
    let at = best.length;
    while (at > 0 && score > (best[at - 1]?.score ?? 0)) at--;
    best.splice(at, 0, { index, score });
    if (best.length > limit) best.pop();
  }
  return best.map(({ index }) => paths[index] ?? "");
}

const WHOLE = 1000;
const IN_NAME = 300;
const AT_START = 100;
const NEXT_TO = 15;
const AT_WORD = 10;

/** The score of a match; 0 for no match. Both texts are in lower case. */
export function scoreOf(path: string, wanted: string): number {
  const nameAt = path.lastIndexOf("/", path.length - 2) + 1;
  const short = 50 / path.length;
  const whole = path.lastIndexOf(wanted);
  if (whole >= 0) {
    const inName = whole >= nameAt ? IN_NAME : 0;
    return (
      WHOLE + inName + (isWordStart(path, whole) ? AT_START : 0) + (whole === nameAt ? AT_START : 0) + short
    );
  }
  // From the end, where the file name is, which is what people usually mean.
  let score = short;
  let before = path.length;
  for (let at = wanted.length - 1; at >= 0; at--) {
    const found = before === 0 ? -1 : path.lastIndexOf(wanted[at] ?? "", before - 1);
    if (found < 0) return 0;
    if (found === before - 1) score += NEXT_TO;
    if (isWordStart(path, found)) score += AT_WORD;
    if (found >= nameAt) score += 2;
    before = found;
  }
  return score;
}

const SIGNS = new Set(Array.from("/._-", (sign) => sign.charCodeAt(0)));

const isWordStart = (path: string, at: number) => at === 0 || SIGNS.has(path.charCodeAt(at - 1));
