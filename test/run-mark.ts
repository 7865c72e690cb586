/** The variable that everything a test run starts has in its environment. */
export const RUN_MARK = "AGENTWIRE_TEST_RUN";

/** That variable, for an environment that is made from nothing. */
export const runMark = (): Readonly<Record<string, string | undefined>> => ({
  [RUN_MARK]: process.env[RUN_MARK],
});
