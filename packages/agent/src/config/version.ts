/** The version of this package; a test keeps it equal to package.json. */
export const VERSION = "0.1.0";

/** The version of the wire that this agent speaks: that of the official agent it behaves like. */
export const WIRE_VERSION = "2.1.325";
