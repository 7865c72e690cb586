/**
 * How much a session holds in memory, as far as it can be told from inside: its conversations and those of its subagents, the reply that is
 * coming, the prompts that wait. It is an estimate, a byte for each character; what the engine adds is not in it.
 */
export class Held {
  readonly #parts = new Set<() => number>();

  /** Counts something from now on; the returned function ends that. */
  add(bytes: () => number): () => void {
    this.#parts.add(bytes);
    return () => void this.#parts.delete(bytes);
  }

  get bytes(): number {
    return [...this.#parts].reduce((sum, bytes) => sum + bytes(), 0);
  }
}

/** What a value costs beside its texts. */
const OVERHEAD = 32;

/** Messages and blocks are never changed, so each is looked at once. */
const known = new WeakMap<object, number>();

/** The bytes of values in a list that changes, about. */
export const weighAll = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + weigh(value), 0);

/** The bytes of a value of JSON that stays as it is, about. */
function weigh(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  const before = known.get(value);
  if (before !== undefined) return before;
  let bytes = OVERHEAD;
  for (const part of Object.values(value)) bytes += weigh(part);
  known.set(value, bytes);
  return bytes;
}
