/**
 * Estimates how much memory a session holds: its conversations and those of its subagents, the reply being received, and the
 * waiting prompts. It counts one byte per character and leaves out the overhead of the JavaScript engine.
 */
export class Held {
  readonly #parts = new Set<() => number>();

  /** Includes something in the estimate; the returned function removes it again. */
  add(bytes: () => number): () => void {
    this.#parts.add(bytes);
    return () => void this.#parts.delete(bytes);
  }

  get bytes(): number {
    return [...this.#parts].reduce((sum, bytes) => sum + bytes(), 0);
  }
}

/** The overhead of a value besides its texts. */
const OVERHEAD = 32;

/** Messages and blocks never change, so each is weighed only once. */
const known = new WeakMap<object, number>();

/** The approximate size of values in a changing list, in bytes. */
export const weighAll = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + weigh(value), 0);

/** The approximate size of an immutable JSON value, in bytes. */
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
