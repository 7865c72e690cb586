import { boundary, type Report } from "../src/boundary.ts";

/** For what must not fail in a test: it fails the test. */
export const fails: Report = (place, error) => {
  throw new Error(`unexpected failure: ${place}`, { cause: error });
};

/** The same as a boundary. */
export const noFailures = boundary((error) => fails("unknown", error));
