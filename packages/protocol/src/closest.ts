/** The known word that was probably meant, if one is similar enough. */
export function closest(word: string, known: readonly string[]): string | undefined {
  const reach = word.length <= 4 ? 1 : 2;
  const beginning = known.find((name) => word.length >= 3 && name.startsWith(word));
  if (beginning !== undefined) return beginning;
  return known
    .map((name) => ({ name, distance: distance(word.slice(0, MAX_LENGTH), name) }))
    .filter((candidate) => candidate.distance <= reach)
    .sort((a, b) => a.distance - b.distance)[0]?.name;
}

/** A longer word is never similar to anything. */
const MAX_LENGTH = 40;

/** The number of letters to insert, delete, replace or swap with their neighbor. */
function distance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
