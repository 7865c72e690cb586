/** The environment variable that is set in every process that a test run starts. */
export const RUN_MARK = "AGENTWIRE_TEST_RUN";

/** That variable, for an environment built from scratch. */
export const runMark = (): Readonly<Record<string, string | undefined>> => ({
  [RUN_MARK]: process.env[RUN_MARK],
});
