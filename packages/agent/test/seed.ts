/** The seed of a randomised test: fixed, unless the environment sets another. */
export const SEED = Number(process.env.AGENTWIRE_SEED ?? 1);
