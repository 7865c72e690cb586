import { differingFields } from "./fields.ts";
import type { Item } from "./item.ts";

/** Two items that correspond, or one that has no counterpart. */
export type Pair =
  | { readonly expected: Item; readonly actual: Item }
  | { readonly expected: Item; readonly actual?: undefined }
  | { readonly expected?: undefined; readonly actual: Item };

/** Aligns two sequences so that as many items as possible correspond, and as closely as possible. */
export function align(expected: readonly Item[], actual: readonly Item[]): readonly Pair[] {
  const best = bestWorth(expected, actual);
  const worth = (i: number, j: number) => best[i]?.[j] ?? 0;
  const pairs: Pair[] = [];
  let i = 0;
  let j = 0;
  while (i < expected.length || j < actual.length) {
    const [wanted, got] = [expected[i], actual[j]];
    if (wanted && got && worth(i, j) > Math.max(worth(i + 1, j), worth(i, j + 1))) {
      pairs.push({ expected: wanted, actual: got });
      i++;
      j++;
    } else if (wanted && (got === undefined || worth(i + 1, j) >= worth(i, j + 1))) {
      pairs.push({ expected: wanted });
      i++;
    } else if (got) {
      pairs.push({ actual: got });
      j++;
    }
  }
  return pairs;
}

/** For each pair of positions: the score of the best alignment from there on. */
function bestWorth(expected: readonly Item[], actual: readonly Item[]): readonly Float64Array[] {
  const best = Array.from({ length: expected.length + 1 }, () => new Float64Array(actual.length + 1));
  for (let i = expected.length - 1; i >= 0; i--) {
    const [row, below] = [best[i], best[i + 1]];
    const wanted = expected[i];
    if (row === undefined || below === undefined || wanted === undefined) continue;
    for (let j = actual.length - 1; j >= 0; j--) {
      const got = actual[j];
      const match = got === undefined || got.kind !== wanted.kind ? 0 : likeness(wanted, got);
      const apart = Math.max(below[j] ?? 0, row[j + 1] ?? 0);
      row[j] = match > 0 ? Math.max(apart, match + (below[j + 1] ?? 0)) : apart;
    }
  }
  return best;
}

/** Between 1 and 2: a counterpart that differs is still better than none. */
function likeness(expected: Item, actual: Item): number {
  const differences = differingFields(expected, actual);
  const hard = differences.filter(({ severity }) => severity === "hard").length;
  return 2 - Math.min(0.8, hard * 0.1) - (hard < differences.length ? 0.05 : 0);
}
