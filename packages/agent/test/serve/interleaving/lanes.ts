import fc from "fast-check";
import { newPlace, type Place } from "../../place.ts";
import { SEED } from "../../seed.ts";

/** The number of parallel conversations; they mostly wait. */
const LANES = 4;

/** Plays this many random conversations, each of which ends with its process. The first violation of a rule fails, shrunk. */
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
