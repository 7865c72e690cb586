/** The version of this package; a test keeps it equal to package.json. */
export const VERSION = "0.1.0";

/** The level of the wire that this agent speaks: the version of the official agent it behaves like. */
export const WIRE_VERSION = "2.1.325";
