/** Decides what a randomised test does: the same for every run, unless the environment asks for another. */
export const SEED = Number(process.env.AGENTWIRE_SEED ?? 1);
