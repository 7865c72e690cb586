import { boundary, type Report } from "../src/boundary.ts";

/** A reporter for code that must not fail: it fails the test. */
export const fails: Report = (place, error) => {
  throw new Error(`unexpected failure: ${place}`, { cause: error });
};

/** A boundary that fails the test. */
export const noFailures = boundary((error) => fails("unknown", error));
