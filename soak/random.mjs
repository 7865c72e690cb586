import { setTimeout } from "node:timers/promises";

/** Reproducible random numbers. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (least, most) => least + Math.floor(next() * (most - least + 1));
  const pick = (from) => from[between(0, from.length - 1)];
  return { chance: (part) => next() < part, between, pick };
}

/** Waits, but not beyond an abort. */
export async function pause(ms, signal) {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}
