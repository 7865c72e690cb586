/** Pseudorandom numbers, determined by a seed. */
export interface Random {
  /** An integer from 0 up to, but not including, the bound. */
  below(bound: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** Starts a sequence (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (bound) => Math.floor(next() * bound),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  };
}
