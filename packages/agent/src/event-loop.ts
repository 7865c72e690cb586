/** How long one piece of work may block the event loop, which all sessions of a process share. */
const SLICE_MS = 10;

/** When work was first reported in this turn of the event loop. */
let turnBegan: number | undefined;
/** Work that continues in a later turn: one resolver per turn, first come, first served. */
const waiting: (() => void)[] = [];

/**
 * Returns a promise once work has blocked the event loop for a slice: await it before doing more, so that the other sessions of the
 * process get a turn. Call it between small pieces of work, as often as is convenient.
 */
export function sliceOver(): Promise<void> | undefined {
  const now = performance.now();
  if (turnBegan === undefined) {
    turnBegan = now;
    setImmediate(nextTurn);
  }
  if (now - turnBegan < SLICE_MS) return undefined;
  return new Promise((resolve) => waiting.push(resolve));
}

function nextTurn(): void {
  turnBegan = undefined;
  waiting.shift()?.();
  if (waiting.length > 0) {
    turnBegan = performance.now();
    setImmediate(nextTurn);
  }
}

/** How many items are sorted in one go. */
const RUN_LENGTH = 2000;

/** Sorts in slices. The sort is stable. */
export async function sortInSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<readonly T[]> {
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += RUN_LENGTH) {
    runs.push(items.slice(start, start + RUN_LENGTH).sort(compare));
    await sliceOver();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  first: readonly T[],
  second: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<T[]> {
  const merged: T[] = [];
  let [i, j] = [0, 0];
  while (i < first.length && j < second.length) {
    const [a, b] = [first[i] as T, second[j] as T];
    if (compare(a, b) <= 0) {
      merged.push(a);
      i++;
    } else {
      merged.push(b);
      j++;
    }
    if (merged.length % RUN_LENGTH === 0) await sliceOver();
  }
  return merged.concat(first.slice(i), second.slice(j));
}
