import fc from "fast-check";
import { newPlace, type Place } from "../../place.ts";
import { SEED } from "../../seed.ts";

/** How many talks run beside each other: they mostly wait. */
const LANES = 4;

/** Plays so many random talks, each of which ends with its process; the first one that breaks a rule fails, shrunk. */
export async function playTalks<T>(
  runs: number,
  talks: fc.Arbitrary<T>,
  play: (talk: T, place: Place) => Promise<void>,
): Promise<void> {
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const place = await newPlace();
    const property = fc.asyncProperty(talks, (talk) => play(talk, place));
    await fc.assert(property, { seed: SEED + lane * 1_000_000, numRuns: Math.ceil(runs / LANES) });
  });
  for (const end of await Promise.allSettled(lanes)) if (end.status === "rejected") throw end.reason;
}
