import fc from "fast-check";

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * Any character, for the `unit` of random strings: the same as "binary", for which fast-check makes a table of a million characters,
 * 120 MB in every worker.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - SURROGATES })
  .map(characterAt, indexOf);

function characterAt(index: number): string {
  return String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES);
}

/** fast-check asks this of pieces of strings too, and takes an error for a no. */
function indexOf(value: unknown): number {
  const point = typeof value === "string" ? value.codePointAt(0) : undefined;
  if (point === undefined || String.fromCodePoint(point) !== value) throw new Error("not one character");
  return point < FIRST_SURROGATE ? point : point - SURROGATES;
}
