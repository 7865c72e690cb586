/** How long work may keep the event loop, which all sessions of a process share. */
const SLICE_MS = 10;

/** When work was first seen in this turn of the event loop. */
let turnBegan: number | undefined;
/** Who continues in a later turn: one in each, in the order in which they came. */
const waiting: (() => void)[] = [];

/**
 * A promise once work has kept the event loop for a slice: who has more to do waits for it, and the other sessions of the process have a
 * turn. To be asked between two small pieces of work, as often as is convenient.
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

/** So many items are sorted at once. */
const RUN_LENGTH = 2000;

/** Sorts in slices; equal items stay in their order. */
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
