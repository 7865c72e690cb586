/** Seeds randomized tests; fixed, unless the environment sets another. */
export const SEED = Number(process.env.AGENTWIRE_SEED ?? 1);
